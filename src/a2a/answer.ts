import { findBearer } from '../access/wallet/wallet-check.ts'
import type { ProtocolCall, ProtocolReply } from '../catalog/endpoints/protocol.ts'
import type { Log } from '../core/log.ts'
import { A2A_X402 } from '../discovery/agents/agent-card.ts'
import { JSON_TYPE, NO_STORE } from '../http/headers.ts'
import type { AdmitMessages } from '../http/json-rpc/admit-messages.ts'
import { faultReply, readBatch } from '../http/json-rpc/read-batch.ts'
import type { CheckHost } from '../http/request/own-host.ts'
import { A2aError, toHttpError, toRpcError } from './a2a-error.ts'
import type { Operations } from './operations.ts'
import type { A2aCaller } from './send-message.ts'

type Ports = {
  operations: Operations
  checkHost: CheckHost
  admitMessages: AdmitMessages
  log: Log
  path: string
  /** Address of the agent card. */
  card: string
}
type Answer = (call: ProtocolCall) => Promise<ProtocolReply>

const VERSION = '1.0'

/** JSON-RPC at the address of the card. */
export function createAnswerRpc(ports: Ports): Answer {
  const answerOne = async (message: unknown, call: ProtocolCall): Promise<object | undefined> => {
    const { id, method, params } = fieldsOf(message)
    const isNotification = id === undefined && typeof method === 'string'
    try {
      if (typeof method !== 'string' || !isId(id))
        throw new A2aError('INVALID_REQUEST', 'no JSON-RPC request')
      const result = await run(ports, method, params, call)
      return isNotification ? undefined : { jsonrpc: '2.0', id, result }
    } catch (error) {
      const told = {
        jsonrpc: '2.0',
        id: isId(id) ? (id ?? null) : null,
        error: toRpcError(toA2aError(error, ports, call)),
      }
      return isNotification ? undefined : told
    }
  }
  return async (call) => {
    ports.checkHost(call.headers)
    const batch = readBatch(call.body)
    if ('fault' in batch) return toReply(call, batch.fault.status, faultReply(batch.fault))
    const { messages, refusals, headers } = await ports.admitMessages(batch.messages, call.client)
    const answers = await Promise.all(messages.map((message) => answerOne(message, call)))
    const replies = [...answers.filter((reply) => reply !== undefined), ...refusals]
    if (replies.length === 0) return { ...toReply(call, 202, {}, headers), body: '' }
    return toReply(call, 200, batch.isBatch ? replies : (replies[0] as object), headers)
  }
}

/** One operation of the HTTP binding, whose params `read` finds in the request. */
export function createAnswerHttp(
  ports: Ports,
  operation: string,
  read: (call: ProtocolCall) => unknown,
): Answer {
  return async (call) => {
    ports.checkHost(call.headers)
    try {
      return toReply(call, 200, (await run(ports, operation, read(call), call)) as object)
    } catch (error) {
      const { status, body } = toHttpError(toA2aError(error, ports, call))
      return toReply(call, status, body)
    }
  }
}

/** The body of a request of the HTTP binding. */
export function readSingle({ body }: ProtocolCall): unknown {
  const batch = readBatch(body)
  if ('fault' in batch) throw new A2aError('INVALID_REQUEST', batch.fault.message)
  if (batch.isBatch) throw new A2aError('INVALID_REQUEST', 'send one message')
  return batch.messages[0]
}

const CANCEL = ':cancel'

/** The protocol puts the verb behind the id of the task. */
export function readCanceled(id = ''): string {
  if (id.endsWith(CANCEL)) return id.slice(0, -CANCEL.length)
  throw new A2aError('METHOD_NOT_FOUND', `a task is only posted to with ${CANCEL} behind its id`)
}

function run(ports: Ports, method: string, params: unknown, call: ProtocolCall): unknown {
  const { operations, path, card } = ports
  const version = call.headers['a2a-version']
  if (version !== undefined && version !== '' && version !== VERSION)
    throw new A2aError('VERSION_NOT_SUPPORTED', `this agent speaks version ${VERSION}, as ${card} says`)
  const operation = operations.get(method)
  if (!operation) throw new A2aError('METHOD_NOT_FOUND', whyNoMethod(method, ports))
  const { client, requestId, headers } = call
  const asked = { token: findBearer({ headers }), askPriceOnly: headers['x-demo'] === 'off' }
  const caller: A2aCaller = { client, requestId, path, ...asked }
  return operation(params, caller)
}

/** Version 0.3 spelt its methods with a slash, and its messages have another shape. */
function whyNoMethod(method: string, { operations, card }: Pick<Ports, 'operations' | 'card'>): string {
  if (OLD_METHOD.test(method))
    return `this is a method of version 0.3; this agent speaks version ${VERSION} only, where messages go to SendMessage. Its card: ${card}`
  return `there is no such method; the methods are ${[...operations.keys()].join(', ')}`
}
const OLD_METHOD = /^(message|tasks|agent)\//

function toA2aError(error: unknown, { log }: Ports, { requestId }: ProtocolCall): A2aError {
  if (error instanceof A2aError) return error
  log.error({ id: requestId, err: error }, 'request failed')
  return new A2aError('INTERNAL', `the failure was recorded under the request id ${requestId}`)
}

const isId = (id: unknown): boolean =>
  id === undefined || id === null || typeof id === 'string' || typeof id === 'number'

function fieldsOf(message: unknown): { id?: unknown; method?: unknown; params?: unknown } {
  return typeof message === 'object' && message !== null ? message : {}
}

/** An extension that was asked for and is spoken is named in the reply. */
function toReply(
  { headers }: ProtocolCall,
  status: number,
  body: object,
  told: readonly string[] = [],
): ProtocolReply {
  const asked = String(headers['a2a-extensions'] ?? headers['x-a2a-extensions'] ?? '')
  const active = asked.split(',').some((uri) => uri.trim() === A2A_X402)
  const sent = ['Content-Type', JSON_TYPE, 'Cache-Control', NO_STORE, ...told]
  return {
    status,
    headers: active ? [...sent, 'A2A-Extensions', A2A_X402, 'X-A2A-Extensions', A2A_X402] : sent,
    body: JSON.stringify(body),
  }
}
