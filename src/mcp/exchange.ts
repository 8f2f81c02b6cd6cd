import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Log } from '../core/log.ts'
import type { CreateServer } from './create-server.ts'
import type { McpCaller } from './surface.ts'

/** One message and its reply; undefined where none is due. */
export type Exchange = (message: unknown, headers: Headers, caller: McpCaller) => Promise<Exchanged>
export type Exchanged = { status: number; reply: string | undefined }

/** Nobody is called back: every reply is whole, so a stream would have nothing to tell. */
const NO_SUBSCRIPTIONS = 0

/** Both eras of the protocol. The SDK gets each message alone, so that no message can hold up or cancel another. */
export function createExchange(createServer: CreateServer, url: string, log: Log): Exchange {
  const callers = new WeakMap<Request, McpCaller>()
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const caller = requestInfo && callers.get(requestInfo)
      if (!caller) throw new Error('a message came without its request')
      return createServer(caller)
    },
    {
      maxSubscriptions: NO_SUBSCRIPTIONS,
      onerror: (err) => log.debug({ err }, 'a message of MCP was refused'),
    },
  )
  return async (message, headers, caller) => {
    const request = new Request(url, { method: 'POST', headers })
    callers.set(request, caller)
    const response = await handler.fetch(request, { parsedBody: message })
    const text = await response.text()
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    const reply = isStream ? findEventData(text) : text
    return { status: response.status, reply: reply === '' ? undefined : reply }
  }
}

/** The earlier era answers with a stream of one event. */
function findEventData(stream: string): string | undefined {
  const line = stream
    .split('\n')
    .findLast((each) => each.startsWith('data: ') && each.length > 'data: '.length)
  return line?.slice('data: '.length)
}
