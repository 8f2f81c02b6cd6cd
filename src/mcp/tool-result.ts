import type { CallToolResult } from '@modelcontextprotocol/server'
import { ServiceError } from '../core/service-error.ts'
import { untilMidnightS } from '../core/time/until-midnight.ts'
import { failureReply } from '../http/reply.ts'
import { ValidationError } from '../http/request/validation.ts'
import type { Called } from '../http/sell/call-product.ts'
import { SAME_PAYMENT } from '../payments/gate/failures.ts'
import type { Allowance } from '../payments/gate/gate.ts'
import { settleResponse } from '../payments/receipts/settle-response.ts'

/** As the MCP transport of x402 names it. */
const PAYMENT_RESPONSE = 'x402/payment-response'
const DEMO = 'tollbook/demo-calls'
const HOLDER = 'tollbook/holder-calls'

type Moment = { demoLimit: number; nowMs: number }

/** The data with its receipt, or the terms of a payment as a failed call: a client that can pay finds them there. */
export function toResult(called: Called, { demoLimit, nowMs }: Moment): CallToolResult {
  if (called.kind === 'refused') {
    const { challenge, holder } = called
    const retry_after_s = untilMidnightS(nowMs)
    return {
      ...contentOf(challenge.body),
      isError: true,
      ...(holder && { _meta: holderCalls(holder, { retry_after_s }) }),
    }
  }
  const content = contentOf(called.reply.text)
  if (called.kind === 'free') return content
  const demo = { [DEMO]: { limit: demoLimit, remaining: called.demoRemaining } }
  if (called.kind !== 'sold') {
    const { holder } = called
    return { ...content, _meta: { ...(holder && holderCalls(holder)), ...demo } }
  }
  return { ...content, _meta: { [PAYMENT_RESPONSE]: settleResponse(called.row, called.version), ...demo } }
}

/** What HTTP tells in headers; a day that is used up says when the next one begins. */
const holderCalls = ({ limit, remaining }: Allowance, more: { retry_after_s?: number } = {}) => ({
  [HOLDER]: { limit, remaining, ...more },
})

/** The same JSON twice: as text for models, and parsed for programs. */
function contentOf(text: string): CallToolResult {
  const data: unknown = JSON.parse(text)
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data)
  return {
    content: [{ type: 'text', text }],
    ...(isObject && { structuredContent: data as Record<string, unknown> }),
  }
}

/** A failure says what to do next in words; programs get what HTTP would have answered. */
export function toFailure(error: unknown, requestId: string, isPaying: boolean): CallToolResult {
  const { body } = failureReply(error, requestId, isPaying)
  const structuredContent = JSON.parse(body) as Record<string, unknown>
  const text = wordsOf(error, requestId, isPaying)
  return { content: [{ type: 'text', text }], structuredContent, isError: true }
}

function wordsOf(error: unknown, requestId: string, isPaying: boolean): string {
  if (error instanceof ValidationError) {
    const issues = error.issues.map(({ loc, msg }) => `${loc.slice(1).join('.') || 'arguments'} ${msg}`)
    return `The arguments do not fit: ${issues.join('; ')}. Correct them and call again; nothing was charged.`
  }
  if (!(error instanceof ServiceError)) {
    const wayOut = isPaying ? ` The payment may be charged: ${SAME_PAYMENT}.` : ''
    return `Something broke on our side. Request id: ${requestId}.${wayOut}`
  }
  const wait = error.retryAfterS === undefined ? '' : ` Retry after ${error.retryAfterS} s.`
  return `${error.message}. What to do: ${error.hint}.${wait}`
}
