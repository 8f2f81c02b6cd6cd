import { findBearer } from '../access/wallet/wallet-check.ts'
import type { ProtocolCall, ProtocolReply } from '../catalog/endpoints/protocol.ts'
import { JSON_TYPE, NO_STORE } from '../http/headers.ts'
import type { AdmitMessages } from '../http/json-rpc/admit-messages.ts'
import { faultReply, readBatch } from '../http/json-rpc/read-batch.ts'
import type { CheckHost } from '../http/request/own-host.ts'
import type { Exchange } from './exchange.ts'

/** What of a request's headers the protocol looks at. The reply is one JSON text, whatever the client would take. */
const PASSED_ON = ['mcp-protocol-version', 'mcp-method', 'mcp-name']

export type AnswerMessages = (call: ProtocolCall) => Promise<ProtocolReply>

type Ports = { exchange: Exchange; checkHost: CheckHost; admitMessages: AdmitMessages }

export function createAnswerMessages({ exchange, checkHost, admitMessages }: Ports): AnswerMessages {
  return async ({ headers, body, client, requestId }) => {
    checkHost(headers)
    const batch = readBatch(body)
    if ('fault' in batch) return toReply(batch.fault.status, JSON.stringify(faultReply(batch.fault)))
    const token = findBearer({ headers })
    const caller = { client, requestId, token, askPriceOnly: headers['x-demo'] === 'off' }
    const passed = headersOf(headers)
    const { messages, refusals, headers: told } = await admitMessages(batch.messages, client)
    const exchanged = await Promise.all(messages.map((message) => exchange(message, passed, caller)))
    const answers = exchanged.flatMap(({ reply }) => reply ?? [])
    const replies = [...answers, ...refusals.map((refusal) => JSON.stringify(refusal))]
    if (replies.length === 0) return toReply(202, '', told)
    const [only] = exchanged
    return batch.isBatch
      ? toReply(200, `[${replies.join()}]`, told)
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

function toReply(status: number, body: string, told: readonly string[] = []): ProtocolReply {
  return { status, headers: ['Content-Type', JSON_TYPE, 'Cache-Control', NO_STORE, ...told], body }
}
