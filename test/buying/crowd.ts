import { createSeeded } from '../../src/testing/seeded.ts'
import { type BuyersInput, type Purchase, runBuyer } from './buyers.ts'
import type { Counter } from './counter.ts'
import { createPrey } from './prey.ts'
import { runThief } from './thieves.ts'
import type { Network, Wallet } from './wallet.ts'

export type Crowd = {
  purchases: readonly Purchase[]
  /** Uses of a payment beyond its first that the service answered. */
  reuses(): number
  /** Nobody begins anything new; resolves when everybody has ended what was begun. */
  leave(): Promise<void>
}
export type CrowdInput = {
  /** Each with a key and money of its own. */
  openWallet(network: Network): Promise<Wallet>
  counter: Counter
  paths: BuyersInput['paths']
  buyers: number
  thieves: number
  seed: number
  mayVanish: BuyersInput['mayVanish']
}

/** Of five buyers one pays on Solana. */
const SOLANA_EVERY = 5
/** Seeds of single actors, far from those of killer and facilitators. */
const ACTOR_SEEDS = 1_000
/** With no faults and no kills any more, a purchase takes seconds. */
const PATIENCE_MS = 180_000

export async function gatherCrowd(input: CrowdInput): Promise<Crowd> {
  const { openWallet, counter, paths, mayVanish } = input
  const purchases: Purchase[] = []
  const prey = createPrey()
  let closedAtMs: number | undefined
  let reuses = 0
  const shared = { counter, prey, paths, isClosing: () => closedAtMs !== undefined }
  const isTooLate = () => closedAtMs !== undefined && Date.now() - closedAtMs > PATIENCE_MS
  const buying = { ...shared, mayVanish, purchases, isTooLate }
  const stealing = { ...shared, tried: () => void reuses++ }
  const buyers = Array.from({ length: input.buyers }, async (_, index) => {
    const wallet = await openWallet(index % SOLANA_EVERY === 1 ? 'solana' : 'base')
    return () => runBuyer(buying, wallet, createSeeded(input.seed + ACTOR_SEEDS + index))
  })
  const thieves = Array.from({ length: input.thieves }, async (_, index) => {
    const wallet = await openWallet('base')
    return () => runThief(stealing, wallet, createSeeded(input.seed + 2 * ACTOR_SEEDS + index))
  })
  const everybody = await Promise.all([...buyers, ...thieves])
  const busy = Promise.all(everybody.map((act) => act()))
  // A failure of a buyer is reported when the crowd leaves, not as an unhandled rejection.
  busy.catch(() => undefined)
  return {
    purchases,
    reuses: () => reuses,
    async leave() {
      closedAtMs = Date.now()
      await busy
    },
  }
}
