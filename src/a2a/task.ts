import { ServiceError } from '../core/service-error.ts'
import { ValidationError } from '../http/request/validation.ts'
import type { Called } from '../http/sell/call-product.ts'
import { SAME_PAYMENT } from '../payments/gate/failures.ts'
import type { RefusalReason } from '../payments/gate/refusal.ts'
import { sentenceOf } from '../payments/gate/refusal.ts'
import { settleResponse } from '../payments/receipts/settle-response.ts'

export const TASK_STATES = [
  'COMPLETED',
  'FAILED',
  'REJECTED',
  'CANCELED',
  'INPUT_REQUIRED',
  'WORKING',
] as const
export type TaskState = (typeof TASK_STATES)[number]
export type Task = {
  id: string
  contextId: string
  status: { state: `TASK_STATE_${TaskState}`; timestamp: string; message: AgentMessage }
  artifacts?: { artifactId: string; name: string; parts: object[] }[]
}
export type AgentMessage = {
  messageId: string
  contextId: string
  taskId?: string
  role: 'ROLE_AGENT'
  parts: object[]
  metadata?: Record<string, unknown>
}

/** What a task has come to, before it has ids and a time. */
export type Outcome = {
  state: TaskState
  text: string
  metadata?: Record<string, unknown>
  artifact?: { name: string; data: unknown }
}

/** Names of the x402 extension. */
const STATUS = 'x402.payment.status'
const REQUIRED = 'x402.payment.required'
const RECEIPTS = 'x402.payment.receipts'
const ERROR = 'x402.payment.error'

type Asked = { productId: string; isPaying: boolean }

export function outcomeOf(called: Called, { productId, isPaying }: Asked): Outcome {
  if (called.kind === 'refused') return refusalOf(JSON.parse(called.challenge.body), isPaying)
  const artifact = { name: productId, data: JSON.parse(called.reply.text) }
  if (called.kind !== 'sold') return { state: 'COMPLETED', text: 'Done.', artifact }
  const receipts = [settleResponse(called.row, called.version)]
  const metadata = { [STATUS]: 'payment-completed', [RECEIPTS]: receipts }
  return { state: 'COMPLETED', text: 'Paid and done.', metadata, artifact }
}

/** The terms come with a refused payment too: the task stays open for a better one. */
function refusalOf(terms: { error: RefusalReason; detail?: string }, isPaying: boolean): Outcome {
  const charged = isPaying ? 'This payment was not taken' : 'Nothing was charged'
  const text = `${terms.detail ?? sentenceOf(terms.error)} ${charged}. The terms are in ${REQUIRED}.`
  if (!isPaying)
    return { state: 'INPUT_REQUIRED', text, metadata: { [STATUS]: 'payment-required', [REQUIRED]: terms } }
  const failed = { success: false, errorReason: terms.error, network: '', transaction: '' }
  const metadata = {
    [STATUS]: 'payment-failed',
    [ERROR]: ERRORS[terms.error] ?? 'SETTLEMENT_FAILED',
    [RECEIPTS]: [failed],
    [REQUIRED]: terms,
  }
  return { state: 'INPUT_REQUIRED', text, metadata }
}

/** The extension's short list; our own reason stands in the receipt. */
const ERRORS: Partial<Record<RefusalReason, string>> = {
  insufficient_funds: 'INSUFFICIENT_FUNDS',
  invalid_signature: 'INVALID_SIGNATURE',
  malformed_payment: 'INVALID_SIGNATURE',
  expired: 'EXPIRED_PAYMENT',
  payment_void: 'EXPIRED_PAYMENT',
  unsupported_network: 'NETWORK_MISMATCH',
  wrong_amount: 'INVALID_AMOUNT',
}

/** A payment that may still be good can be sent again, so its task stays open. */
export function failureOf(error: unknown, requestId: string, isPaying: boolean): Outcome {
  if (error instanceof ValidationError) {
    const issues = error.issues.map(({ loc, msg }) => `${loc.slice(1).join('.') || 'params'} ${msg}`)
    const charged = isPaying ? 'The payment was not taken' : 'Nothing was charged'
    return { state: 'REJECTED', text: `The params do not fit: ${issues.join('; ')}. ${charged}.` }
  }
  if (!(error instanceof ServiceError)) {
    const text = `Something broke on our side. Request id: ${requestId}.`
    if (!isPaying) return { state: 'FAILED', text }
    return {
      state: 'INPUT_REQUIRED',
      text: `${text} The payment may be charged: ${SAME_PAYMENT}.`,
      metadata: { [STATUS]: 'payment-submitted', [ERROR]: 'internal' },
    }
  }
  const { code, message, hint, retryAfterS } = error
  const wait = retryAfterS === undefined ? '' : ` Retry after ${retryAfterS} s.`
  const text = `${message}. What to do: ${hint}.${wait}`
  const canBeSentAgain = isPaying && retryAfterS !== undefined
  const metadata = isPaying && {
    [STATUS]: canBeSentAgain ? 'payment-submitted' : 'payment-failed',
    [ERROR]: code === 'payment_already_used' ? 'DUPLICATE_NONCE' : code,
  }
  return { state: canBeSentAgain ? 'INPUT_REQUIRED' : 'FAILED', text, ...(metadata && { metadata }) }
}

/** While a payment is under way, and while the chain has not decided about one. */
export const paying: Outcome = { state: 'WORKING', ...submitted('is being worked on') }
export const undecided: Outcome = { state: 'INPUT_REQUIRED', ...submitted('is not decided yet') }

function submitted(how: string): Pick<Outcome, 'text' | 'metadata'> {
  const text = `A payment for this task ${how} and may be charged. Send the same payment again for its reply; do not sign a new one.`
  return { text, metadata: { [STATUS]: 'payment-submitted' } }
}

/** It may still be charged. */
export const isUndecided = ({ metadata }: Outcome) => metadata?.[STATUS] === 'payment-submitted'

export const isOpen = ({ status }: Task) => status.state === 'TASK_STATE_INPUT_REQUIRED'
export const isDone = ({ status }: Task) => status.state === 'TASK_STATE_COMPLETED'

type Ids = { id: string; contextId: string; messageId: string; timestamp: string }

export function toTask({ id, contextId, messageId, timestamp }: Ids, outcome: Outcome): Task {
  const { state, text, metadata, artifact } = outcome
  const message: AgentMessage = { messageId, contextId, taskId: id, role: 'ROLE_AGENT', parts: [{ text }] }
  return {
    id,
    contextId,
    status: {
      state: `TASK_STATE_${state}`,
      timestamp,
      message: metadata ? { ...message, metadata } : message,
    },
    ...(artifact && {
      artifacts: [
        {
          artifactId: 'reply',
          name: artifact.name,
          parts: [{ data: artifact.data, mediaType: 'application/json' }],
        },
      ],
    }),
  }
}
