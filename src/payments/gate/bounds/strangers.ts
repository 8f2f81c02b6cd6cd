import { createBoundedCache } from '../../../core/bounded-cache.ts'
import { createFairQueue, type Pace } from '../../../core/fair-queue.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { MINUTE_MS } from '../../../core/time/time.ts'
import { facilitatorsBusy } from '../failures.ts'
import type { Offer, Sale } from '../sell.ts'
import { STRANGERS } from './limits.ts'
import { tooManyStrangers } from './too-many.ts'

/**
 * Sales to wallets that have not bought lately. Until its payment is found good, each has one of few places: a refusal
 * asks the node several times. Customers take turns, and first those of whose payments the fewest led to nothing lately:
 * any number of addresses can be new, but not for long, and those of one network answer for it a little. While facilitators
 * bear few of them, they start as fast as that.
 */
export type Strangers = {
  sell(client: string, offer: Offer, sell: (offer: Offer) => Promise<Sale>): Promise<Sale>
  /** A payment of this client was refused, or left open. */
  noteFailure(client: string): void
  noteSale(client: string): void
}
export type StrangersPorts = {
  clock: Clock
  /** Whose a client may be: one customer can have many. */
  customerOf: (client: string) => string
  /** From which network a customer comes; absent: each is one of his own. */
  networkOf?: ((customer: string) => string) | undefined
  /** How fast the facilitators can be asked for them; absent: as fast as they come. */
  strangersPace?: (() => Pace) | undefined
}

type Failed = { count: number; atMs: number }

/** Who has not failed for so long is as good as new. */
const FAILED_FOR_MS = 10 * MINUTE_MS
const REMEMBERED = 10_000
/** So many failures of a network weigh as much as one of the customer: most of its customers have no part in them. */
const NETWORK_FAILURES = 16

export function createStrangers({
  clock,
  customerOf,
  networkOf = (customer) => customer,
  strangersPace: paceOf = () => ({ share: 1, waitMs: 0 }),
}: StrangersPorts): Strangers {
  const failed = createBoundedCache<string, Failed>({ capacity: REMEMBERED })
  const countOf = (key: string) => {
    const known = failed.get(key)
    return known && clock.now() - known.atMs < FAILED_FOR_MS ? known.count : 0
  }
  const note = (key: string) => failed.set(key, { count: countOf(key) + 1, atMs: clock.now() })
  const rankOf = (customer: string) => {
    const network = networkOf(customer)
    const ofNetwork = network === customer ? 0 : Math.floor(countOf(network) / NETWORK_FAILURES)
    return countOf(customer) + ofNetwork
  }
  const queue = createFairQueue({ ...STRANGERS, clock, rankOf, paceOf, refuse: tooManyStrangers })
  return {
    async sell(client, offer, sell) {
      const { waitMs } = paceOf()
      if (waitMs > STRANGERS.waitMs) throw facilitatorsBusy(waitMs)
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
      const turn = queue.run(customerOf(client), judge)
      await Promise.all([turn, promise])
      return promise
    },
    noteFailure(client) {
      const customer = customerOf(client)
      const network = networkOf(customer)
      note(customer)
      if (network !== customer) note(network)
    },
    noteSale(client) {
      const customer = customerOf(client)
      if (countOf(customer) > 0) failed.set(customer, { count: 0, atMs: clock.now() })
    },
  }
}
