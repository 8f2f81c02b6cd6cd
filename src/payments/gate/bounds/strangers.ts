import { createBoundedCache } from '../../../core/bounded-cache.ts'
import { createFairQueue } from '../../../core/fair-queue.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { MINUTE_MS } from '../../../core/time/time.ts'
import type { Offer, Sale } from '../sell.ts'
import { STRANGERS } from './limits.ts'
import { tooManyStrangers } from './too-many.ts'

/**
 * Sales to wallets that have not bought lately. Until its payment is found good, each has one of few places: a refusal
 * asks the node several times. Customers take turns, and first those of whose payments the fewest led to nothing lately:
 * any number of addresses can be new, but not for long.
 */
export type Strangers = {
  sell(client: string, offer: Offer, sell: (offer: Offer) => Promise<Sale>): Promise<Sale>
  /** A payment of this client was refused, or left open. */
  noteFailure(client: string): void
  noteSale(client: string): void
}
type Ports = { clock: Clock; customerOf: (client: string) => string }

type Failed = { count: number; atMs: number }

/** Who has not failed for so long is as good as new. */
const FAILED_FOR_MS = 10 * MINUTE_MS
const REMEMBERED = 10_000

export function createStrangers({ clock, customerOf }: Ports): Strangers {
  const failed = createBoundedCache<string, Failed>({ capacity: REMEMBERED })
  const rankOf = (customer: string) => {
    const known = failed.get(customer)
    return known && clock.now() - known.atMs < FAILED_FOR_MS ? known.count : 0
  }
  const note = (customer: string) => failed.set(customer, { count: rankOf(customer) + 1, atMs: clock.now() })
  const queue = createFairQueue({ ...STRANGERS, clock, rankOf, refuse: tooManyStrangers })
  return {
    async sell(client, offer, sell) {
      const { promise, resolve, reject } = Promise.withResolvers<Sale>()
      const judge = () =>
        new Promise<void>((judged) => {
          const work = () => {
            judged()
            return offer.work()
          }
          sell({ ...offer, work, onUsed: judged })
            .then(resolve, reject)
            .finally(judged)
        })
      const customer = customerOf(client)
      const turn = queue.run(customer, judge).catch((error) => {
        // No fault of his, but the next turn is for those who have had none.
        note(customer)
        throw error
      })
      await Promise.all([turn, promise])
      return promise
    },
    noteFailure: (client) => note(customerOf(client)),
    noteSale(client) {
      const customer = customerOf(client)
      if (rankOf(customer) > 0) failed.set(customer, { count: 0, atMs: clock.now() })
    },
  }
}
