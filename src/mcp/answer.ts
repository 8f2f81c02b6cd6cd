import { findBearer } from '../access/wallet/wallet-check.ts'
import type { ProtocolCall, ProtocolReply } from '../catalog/endpoints/protocol.ts'
import { JSON_TYPE, NO_STORE } from '../http/headers.ts'
import { faultReply, readBatch } from '../http/json-rpc/read-batch.ts'
import type { CheckHost } from '../http/request/own-host.ts'
import type { Exchange } from './exchange.ts'

/** What of a request's headers the protocol looks at. The reply is one JSON text, whatever the client would take. */
const PASSED_ON = ['mcp-protocol-version', 'mcp-method', 'mcp-name']

export type AnswerMessages = (call: ProtocolCall) => Promise<ProtocolReply>

export function createAnswerMessages(exchange: Exchange, checkHost: CheckHost): AnswerMessages {
  return async ({ headers, body, client, requestId }) => {
    checkHost(headers)
    const batch = readBatch(body)
    if ('fault' in batch) return toReply(batch.fault.status, JSON.stringify(faultReply(batch.fault)))
    const token = findBearer({ headers })
    const caller = { client, requestId, token, askPriceOnly: headers['x-demo'] === 'off' }
    const passed = headersOf(headers)
    const exchanged = await Promise.all(batch.messages.map((message) => exchange(message, passed, caller)))
    const replies = exchanged.flatMap(({ reply }) => reply ?? [])
    if (replies.length === 0) return toReply(202, '')
    const [only] = exchanged
    return batch.isBatch
      ? toReply(200, `[${replies.join()}]`)
      : toReply(only?.status ?? 200, replies[0] as string)
  }
}

function headersOf(given: ProtocolCall['headers']): Headers {
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  })
  for (const name of PASSED_ON) if (given[name] !== undefined) headers.set(name, String(given[name]))
  return headers
}

function toReply(status: number, body: string): ProtocolReply {
  return { status, headers: ['Content-Type', JSON_TYPE, 'Cache-Control', NO_STORE], body }
}
