import { TollbookError } from './tollbook-error.ts'
import type { PaymentRequired, Settlement } from './x402.ts'

/** What happens on the way, for those who want to show it or keep it. */
export type Step =
  | { step: 'challenge'; paymentRequired: PaymentRequired }
  /** Told before the payment is sent: who keeps `header` can present it again after a crash. */
  | { step: 'payment'; header: string }
  | { step: 'retry'; status: number | undefined; reason: string | undefined; afterMs: number }
  | { step: 'settled'; settlement: Settlement }

/** One call with what it may take. */
export type Call = {
  send: typeof fetch
  headers: Record<string, string>
  requestMs: number
  patienceMs: number
  signal: AbortSignal | undefined
  onStep: (step: Step) => void
}

/** For one request: ends when the caller wants it or the time is up. That holds for the body too. */
export function signalOf({ signal, requestMs }: Call, patienceLeftMs: number): AbortSignal {
  const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(Math.min(requestMs, patienceLeftMs))))
  return signal ? AbortSignal.any([signal, timeout]) : timeout
}

export function aborted({ signal }: Call, payment?: string): TollbookError {
  const money = payment
    ? 'the payment may have gone through: present it again, do not sign another'
    : 'nothing was paid'
  return new TollbookError(`aborted; ${money}`, { kind: 'aborted', payment, cause: signal?.reason })
}

export const elsewhere = (url: string) =>
  `redirected to another origin, which no payment is sent to: ${new URL(url).origin}; if you trust it, make it the baseUrl`
