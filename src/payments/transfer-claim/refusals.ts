import { ServiceError } from '../../core/service-error.ts'

/** One block of Base. */
const BLOCK_S = 2

export const refused = (
  message: string,
  hint = 'nothing was used up; send a transfer that fits, or pay through x402',
) => new ServiceError('transfer_refused', message, { hint })

export const notYet = (message: string) =>
  new ServiceError('transfer_refused', message, {
    hint: 'nothing was used up; send the same claim again shortly',
    retryAfterS: BLOCK_S,
  })

export const tooLarge = () =>
  refused(
    'the transaction does far more than a transfer, and is not read',
    'nothing was used up; pay through x402',
  )

/** Nothing is claimed: the transfer still belongs to its sender. */
export const forbidden = (message: string) =>
  new ServiceError('forbidden', message, {
    hint: 'sign with the wallet that sent the transfer, three lines: Tollbook verify-tx, tx_hash in lower case, endpoint',
  })

export const alreadyUsed = (message: string) =>
  new ServiceError('payment_already_used', message, { hint: 'send a new transfer for this endpoint' })

export const busy = () =>
  new ServiceError('payments_unavailable', 'too many transfers are being checked; nothing was used up')

export const unreachable = (cause: unknown) =>
  new ServiceError(
    'payments_unavailable',
    'the chain cannot be asked about this transfer; nothing was used up',
    {
      hint: 'send the same claim again shortly',
      cause,
    },
  )
