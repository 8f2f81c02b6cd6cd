import { ServiceError } from '../../core/service-error.ts'

/** A buyer who signs again while the first payment may still move would pay twice. */
const SAME_PAYMENT = 'send the same request with the same payment again; do not sign a new one'

export const alreadyUsed = () =>
  new ServiceError('payment_already_used', 'this payment has bought something else already', {
    hint: 'sign a new payment for this request',
  })

export const inProgress = () =>
  new ServiceError('payment_in_progress', 'this payment is being worked on', {
    hint: SAME_PAYMENT,
    retryAfterS: 1,
  })

export const pending = () =>
  new ServiceError('payment_pending', 'the payment was sent and the chain has not decided yet', {
    hint: SAME_PAYMENT,
    retryAfterS: 2,
  })

/** A facilitator says the payment was used, and our node does not show it yet. */
export const unseen = () =>
  new ServiceError('payment_pending', 'the chain does not show yet what became of this payment', {
    hint: SAME_PAYMENT,
    retryAfterS: 2,
  })

export const unavailable = (message: string, cause?: unknown) =>
  new ServiceError('payments_unavailable', `${message}; nothing was charged`, {
    hint: 'retry with the same payment',
    cause,
  })
