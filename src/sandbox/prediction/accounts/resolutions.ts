import type { Hex } from 'viem'
import type { Log } from '../../../core/log.ts'
import type { Custody } from '../custody.ts'
import type { PredictionVenue, VenueMarket } from '../venue.ts'
import type { AccountStore } from './account-store.ts'
import type { TradedMarket } from './rows.ts'

export type Resolutions = {
  /** A market that a wallet deals in from now on. */
  note(market: VenueMarket): void
  /** The same, and the contracts know it afterwards. */
  prepare(market: VenueMarket): Promise<void>
  /** Tells the contracts who won the markets that were resolved since, also while the sandbox was not running. */
  tick(): void
  /** Resolves once what was found so far is on chain. */
  settled(): Promise<void>
}

type Input = { venue: PredictionVenue; custody: Custody; store: AccountStore; log: Log }

type Pairs = Pick<TradedMarket, 'outcomes' | 'tokenIds'>

const WHOLE = 1_000_000n
/** More wait for the next tick. */
const MAX_UNDER_WAY = 100

export function createResolutions({ venue, custody, store, log }: Input): Resolutions {
  const underWay = new Map<string, Promise<void>>()
  const open = new Map(
    store.markets
      .all()
      .filter(({ winner }) => winner === undefined)
      .map(({ id, slug }) => [id, slug]),
  )
  const prepared = new Set<string>()
  const resolve = async (id: string, { winner, resolvedMs }: VenueMarket) => {
    const kept = store.markets.get(id)
    if (winner === undefined || !kept) return
    try {
      await custody.prepare(id as Hex, [BigInt(kept.tokenIds[0]), BigInt(kept.tokenIds[1])])
      await custody.resolve(id as Hex, winner === 0 ? [WHOLE, 0n] : [0n, WHOLE])
      const toldMs = venue.nowMs()
      store.markets.put({ ...kept, winner, resolvedMs: resolvedMs ?? toldMs, toldMs })
      open.delete(id)
    } catch (error) {
      // It is still open here, so that the next tick tries again.
      log.warn(
        { conditionId: id, error: String(error) },
        'a market of the simulated venue could not be resolved',
      )
    }
  }
  /** What the venue lists follows from its seed: what it does not know now it never will. */
  const giveUp = (id: string, slug: string) => {
    open.delete(id)
    log.warn({ conditionId: id, slug }, 'a market that an account holds is not one of this simulated venue')
  }
  const note = (market: VenueMarket) => {
    const { conditionId: id, slug, eventSlug, question, outcomes, tokenIds, endsMs } = market
    if (store.markets.get(id)) return
    const pairs = { outcomes: [...outcomes], tokenIds: [...tokenIds] } satisfies Pairs
    store.markets.put({ id, slug, eventSlug, question, ...pairs, endsMs })
    open.set(id, slug)
  }
  return {
    note,
    async prepare(market) {
      const id = market.conditionId
      note(market)
      if (prepared.has(id)) return
      await custody.prepare(id as Hex, [BigInt(market.tokenIds[0]), BigInt(market.tokenIds[1])])
      if (open.has(id)) prepared.add(id)
    },
    tick() {
      for (const [id, slug] of open) {
        if (underWay.size >= MAX_UNDER_WAY) return
        const market = venue.findByCondition(id) ?? venue.recall(slug)
        if (market?.conditionId !== id) giveUp(id, slug)
        if (market?.state !== 'resolved' || !open.has(id) || underWay.has(id)) continue
        prepared.delete(id)
        const done = resolve(id, market).finally(() => underWay.delete(id))
        underWay.set(id, done)
      }
    },
    async settled() {
      await Promise.all(underWay.values())
    },
  }
}
