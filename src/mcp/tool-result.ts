import type { CallToolResult } from '@modelcontextprotocol/server'
import { ServiceError } from '../core/service-error.ts'
import { failureReply } from '../http/reply.ts'
import { ValidationError } from '../http/request/validation.ts'
import type { Called } from '../http/sell/call-product.ts'
import { settleResponse } from '../payments/receipts/settle-response.ts'

/** As the MCP transport of x402 names it. */
const PAYMENT_RESPONSE = 'x402/payment-response'
const DEMO = 'tollbook/demo-calls'
const HOLDER = 'tollbook/holder-calls'

/** The data with its receipt, or the terms of a payment as a failed call: a client that can pay finds them there. */
export function toResult(called: Called, demoLimit: number): CallToolResult {
  if (called.kind === 'refused') return { ...contentOf(called.challenge.body), isError: true }
  const content = contentOf(called.reply.text)
  if (called.kind === 'free') return content
  const demo = { [DEMO]: { limit: demoLimit, remaining: called.demoRemaining } }
  if (called.kind === 'demo') return { ...content, _meta: demo }
  if (called.kind === 'holder') {
    const { limit, remaining } = called.holder
    return { ...content, _meta: { [HOLDER]: { limit, remaining }, ...demo } }
  }
  return { ...content, _meta: { [PAYMENT_RESPONSE]: settleResponse(called.row, called.version), ...demo } }
}

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
export function toFailure(error: unknown, requestId: string): CallToolResult {
  const structuredContent = JSON.parse(failureReply(error, requestId).body) as Record<string, unknown>
  return { content: [{ type: 'text', text: wordsOf(error, requestId) }], structuredContent, isError: true }
}

function wordsOf(error: unknown, requestId: string): string {
  if (error instanceof ValidationError) {
    const issues = error.issues.map(({ loc, msg }) => `${loc.slice(1).join('.') || 'arguments'} ${msg}`)
    return `The arguments do not fit: ${issues.join('; ')}. Correct them and call again; nothing was charged.`
  }
  if (!(error instanceof ServiceError)) return `Something broke on our side. Request id: ${requestId}.`
  const wait = error.retryAfterS === undefined ? '' : ` Retry after ${error.retryAfterS} s.`
  return `${error.message}. What to do: ${error.hint}.${wait}`
}
