import type { PaidProduct } from '../../catalog/catalog.ts'
import type { RateCount, RateCounters, RateLimit } from '../../catalog/rate-limit.ts'
import type { MayLook } from '../../core/may-look.ts'
import { ServiceError } from '../../core/service-error.ts'

/**
 * What one request may ask of sources before it has paid. A client's looks that nobody pays for are bounded twice: those
 * without a good payment, and as many again with one, since a look that finds nothing is not charged.
 */
export type Looks = {
  /** For a request whose payment, if there is one, nobody has verified. */
  unpaid: MayLook
  /** For one whose payment was found good: anybody can sign what he cannot pay. */
  paid: MayLook
  /** Whether the last one was refused. */
  isOver(): boolean
  /** What was paid for does not count; nor does the look that told its buyer the price. */
  sold(): Promise<void>
}

type Input = { counters: RateCounters; product: PaidProduct; client: string }

export function createLooks({ counters, product, client }: Input): Looks {
  const { lookLimit } = product
  let taken: { limit: RateLimit; count: RateCount } | undefined
  let isOver = false
  /** Answers at once where the counter does. */
  const take = (limit: RateLimit, wayOut: string): ReturnType<MayLook> => {
    const judge = (count: RateCount) => {
      isOver = count.isOver
      if (isOver) throw tooManyLooks(limit, count, wayOut)
      taken = { limit, count }
    }
    const count = counters.take(limit, client)
    return count instanceof Promise ? count.then(judge) : judge(count)
  }
  return {
    unpaid: () => take(lookLimitOf(product), 'or send a payment with the request'),
    paid: () => take(withPayment(lookLimitOf(product)), 'nothing was charged'),
    isOver: () => isOver,
    async sold() {
      if (taken) await counters.giveBack(taken.limit, client, taken.count)
      // That of the request before this one.
      else if (lookLimit) await counters.giveBack(lookLimit, client)
    },
  }
}

function lookLimitOf({ id, lookLimit }: PaidProduct): RateLimit {
  if (!lookLimit) throw new Error(`${id} looks at sources before it is paid, and has no limit for that`)
  return lookLimit
}

const withPayment = (limit: RateLimit): RateLimit => ({ ...limit, name: `${limit.name}-paid` })

const tooManyLooks = ({ calls, windowS }: RateLimit, { resetS }: RateCount, wayOut: string) =>
  new ServiceError(
    'rate_limited',
    `at most ${calls} addresses in ${windowS} s that we have not looked up before, from one client, unless they are paid for`,
    { retryAfterS: resetS, hint: `wait ${resetS} s, ${wayOut}; what was looked up lately is answered` },
  )
