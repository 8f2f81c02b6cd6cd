import { describeLimit, type RateCounters, type RateLimit } from '../../catalog/rate-limit.ts'
import { faultReply } from './read-batch.ts'

/** Of all protocols together. A message costs many times what a plain request costs; some of them pay. */
export const MESSAGE_LIMIT: RateLimit = { name: 'messages', calls: 600, windowS: 60, sells: true }

/** Of the server errors that the protocol leaves free. */
export const RATE_LIMITED = -32_029

/** The messages that are answered, and the replies to the others. */
export type Admitted = {
  messages: readonly unknown[]
  refusals: readonly object[]
  /** As headers of the reply. */
  headers: readonly string[]
}
export type AdmitMessages = (messages: readonly unknown[], client: string) => Promise<Admitted>

/** Every message of a batch counts; the first one was counted as the request that brought it. */
export function createAdmitMessages(counters: RateCounters): AdmitMessages {
  return async (messages, client) => {
    for (let n = 1; n < messages.length; n++) {
      const { isOver, resetS } = await counters.take(MESSAGE_LIMIT, client)
      if (isOver) return cut(messages, n, resetS)
    }
    return { messages, refusals: [], headers: [] }
  }
}

function cut(messages: readonly unknown[], from: number, resetS: number): Admitted {
  const message = `at most ${describeLimit(MESSAGE_LIMIT)} from one client, and each message of a batch is one; send this message again after ${resetS} s`
  const data = { code: 'rate_limited', retry_after_s: resetS }
  const refusals = messages.slice(from).flatMap((refused) => {
    const id = findId(refused)
    return id === undefined ? [] : [faultReply({ code: RATE_LIMITED, message, data }, id)]
  })
  return { messages: messages.slice(0, from), refusals, headers: ['Retry-After', String(resetS)] }
}

/** Undefined for a notification, which gets no reply. */
function findId(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || !('id' in message)) return undefined
  return typeof message.id === 'string' || typeof message.id === 'number' ? message.id : null
}
