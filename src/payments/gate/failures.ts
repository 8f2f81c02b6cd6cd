import { ServiceError } from '../../core/service-error.ts'
import { V1_NAMES } from '../challenge/terms.ts'

/** Such a state lasts for minutes at least. */
const CLOSED_RETRY_S = 60

/** A buyer who signs again while the first payment may still move would pay twice. */
export const SAME_PAYMENT = 'send the same request with the same payment again; do not sign a new one'

export const alreadyUsed = () =>
  new ServiceError('payment_already_used', 'this payment has bought something else already', {
    hint: 'sign a new payment for this request',
  })

/** Of two payments under one identifier only the first buys; this one was not used. */
export const identifierUsed = (isVoid: boolean) =>
  isVoid
    ? new ServiceError(
        'payment_already_used',
        'another payment under this payment-identifier came first and ended without a charge; this one was not charged either',
        { hint: 'sign with a new identifier' },
      )
    : new ServiceError(
        'payment_already_used',
        'another payment has used this payment-identifier; this one was not charged',
        {
          hint: 'send the payment that came first again, or fetch its reply after signing in; for a new purchase sign with a new identifier',
        },
      )

export const inProgress = () =>
  new ServiceError('payment_in_progress', 'this payment is being worked on', {
    hint: SAME_PAYMENT,
    retryAfterS: 1,
  })

export const pending = () =>
  new ServiceError('payment_pending', 'the payment is not on the chain yet, and may still come', {
    hint: SAME_PAYMENT,
    retryAfterS: 2,
  })

/** A facilitator says the payment was used, and our node does not show it yet. */
export const unseen = (retryAfterS = 2) =>
  new ServiceError('payment_pending', 'the chain does not show yet what became of this payment', {
    hint: SAME_PAYMENT,
    retryAfterS,
  })

/** A fault of ours may have come after the money moved. */
export const brokenWhilePaying = () =>
  new ServiceError('internal', 'the failure was recorded under this request id; the payment may be charged', {
    hint: SAME_PAYMENT,
    retryAfterS: 2,
  })

export const unavailable = (message: string, cause?: unknown) =>
  new ServiceError('payments_unavailable', `${message}; nothing was charged`, {
    hint: 'retry with the same payment',
    cause,
  })

/** The token itself stands in the way: paused, or closed to us. */
export const closed = (network: string, why: string) =>
  new ServiceError(
    'payments_unavailable',
    `payments on ${V1_NAMES.get(network) ?? network} are not possible now: ${why}; nothing was charged`,
    {
      hint: 'pay on another network that the 402 offers, or retry later with the same payment',
      retryAfterS: CLOSED_RETRY_S,
    },
  )

/** All that could be asked take no more calls for now. */
export const facilitatorsBusy = (waitMs: number) =>
  new ServiceError('payments_unavailable', 'the facilitators are busy; nothing was charged', {
    hint: 'retry with the same payment',
    retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)),
  })
