import type { RateCount } from '../../../catalog/rate-limit.ts'
import { ServiceError } from '../../../core/service-error.ts'
import { FAILED_BY_CLIENT, FAILED_BY_PAYER, OPEN_BY_PAYER, OPEN_WAIT_S } from './limits.ts'

/** Before anything is claimed or sent: whatever was signed can be sent again. */
const FREE = 'nothing was charged'
const BOUGHT = 'what was bought is handed out all the same, to the request and payment that bought it'

export const clientFailedOften = ({ resetS }: RateCount) =>
  new ServiceError(
    'rate_limited',
    `${FAILED_BY_CLIENT.calls} payments in a minute from one client were refused or left open; ${FREE}`,
    {
      retryAfterS: resetS,
      hint: `send the same payment again after ${resetS} s; if the refused ones were yours, look at their errors first, else somebody behind your address sent them; ${BOUGHT}`,
    },
  )

export const payerFailedOften = ({ resetS }: RateCount) =>
  new ServiceError(
    'rate_limited',
    `${FAILED_BY_PAYER.calls} payments of this wallet in a minute were refused or left open; ${FREE}`,
    {
      retryAfterS: resetS,
      hint: `see that the wallet holds enough USDC, wait ${resetS} s, then send the same again or sign anew; ${BOUGHT}`,
    },
  )

export const unsoldOften = ({ resetS }: RateCount) =>
  new ServiceError(
    'rate_limited',
    `many good payments of this wallet or client led to no sale in this minute; ${FREE}`,
    {
      retryAfterS: resetS,
      hint: `wait ${resetS} s and send the same payment again; where the data was too old, ask with a larger max_age; ${BOUGHT}`,
    },
  )

export const unseenOften = ({ resetS }: RateCount) =>
  new ServiceError(
    'rate_limited',
    'many payments of this client were used before, and the chain does not show for what; this one was not looked at',
    { retryAfterS: resetS, hint: `send the same payment again after ${resetS} s; ${BOUGHT}` },
  )

export const tooManyOpen = () =>
  new ServiceError(
    'rate_limited',
    `the chain has not decided ${OPEN_BY_PAYER} payments of this wallet; ${FREE}`,
    {
      retryAfterS: OPEN_WAIT_S,
      hint: 'send the undecided ones again, each with its own request; new ones are taken when they are decided or expired',
    },
  )

/** No fault of theirs, and none that counts. */
export const tooManyStrangers = () =>
  new ServiceError('payments_unavailable', `many payments of new buyers are being checked; ${FREE}`, {
    retryAfterS: 2,
    hint: 'retry with the same payment',
  })

export const tooManyAtOnce = () =>
  new ServiceError('rate_limited', `too many payments of this wallet or client at once; ${FREE}`, {
    retryAfterS: 2,
    hint: 'send the same request with the same payment again, fewer at once',
  })
