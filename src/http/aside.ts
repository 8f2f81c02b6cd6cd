import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../core/service-error.ts'
import { JSON_TYPE } from './headers.ts'
import { failureReply, type Reply, textReply } from './reply.ts'

/** Asked for a GET or HEAD; `id` is that of the request. */
type AsideAnswer = (raw: IncomingMessage, id: string) => Reply | Promise<Reply>

/**
 * What the operator's own machines ask, by path: neither products nor documents, so not in the catalog. Nobody pays,
 * nothing is counted or limited, and no line is logged. Never throws.
 */
export type Aside = ReadonlyMap<string, AsideAnswer>

/** Undefined where the request is none of these. */
export function answerAside(
  aside: Aside,
  raw: IncomingMessage,
  id: string,
): Reply | Promise<Reply> | undefined {
  const { url = '/', method } = raw
  const end = url.indexOf('?')
  const answer = aside.get(end === -1 ? url : url.slice(0, end))
  if (!answer) return undefined
  return method === 'GET' || method === 'HEAD' ? answer(raw, id) : otherMethod(id)
}

function otherMethod(id: string): Reply {
  const reply = failureReply(new ServiceError('method_not_allowed', 'this address offers GET and HEAD'), id)
  return { ...reply, headers: [...reply.headers, 'Allow', 'GET, HEAD'] }
}

const LIVE = jsonReply(200, { status: 'live' })
const READY = jsonReply(200, { status: 'ready' })

/** `/livez`: the event loop turns. `/readyz`: send requests here, or why not. */
export function probes(whyNotReady: () => Promise<readonly string[]>): Aside {
  return new Map<string, AsideAnswer>([
    ['/livez', () => LIVE],
    [
      '/readyz',
      async () => {
        const reasons = await whyNotReady()
        return reasons.length === 0 ? READY : jsonReply(503, { status: 'not_ready', reasons })
      },
    ],
  ])
}

function jsonReply(status: number, body: object): Reply {
  return textReply(status, JSON.stringify(body), ['Content-Type', JSON_TYPE, 'Cache-Control', 'no-store'])
}
