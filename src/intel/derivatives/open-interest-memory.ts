import { type Coin, mapCoins } from '../../core/coin.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { PastOpenInterest } from '../../upstreams/perpetuals/perpetual-venue.ts'

const SLOT_MS = 10 * MINUTE_MS
/** A day and two hours, so that the slot of a day ago is still there when a poll is late. */
const SLOTS = (DAY_MS + 2 * HOUR_MS) / SLOT_MS
/** Histories have a row per hour: half of one lies between them and the exact time. */
const MAX_OFF_MS = 40 * MINUTE_MS

/** One venue's open interest in coins over the last day, from its own history and from what we read ourselves. */
export type OpenInterestMemory = {
  note(coin: Coin, row: PastOpenInterest): void
  /** The value nearest to a day before `nowMs`; undefined where none is near. */
  dayAgo(coin: Coin, nowMs: number): number | undefined
}

export function createOpenInterestMemory(): OpenInterestMemory {
  const rows = mapCoins(() => new Map<number, PastOpenInterest>())
  return {
    note(coin, row) {
      const slots = rows[coin]
      slots.set(Math.floor(row.atMs / SLOT_MS), row)
      if (slots.size <= SLOTS) return
      const oldest = Math.min(...slots.keys())
      slots.delete(oldest)
    },
    dayAgo(coin, nowMs) {
      const offOf = ({ atMs }: PastOpenInterest) => Math.abs(nowMs - DAY_MS - atMs)
      let nearest: PastOpenInterest | undefined
      for (const row of rows[coin].values()) if (!nearest || offOf(row) < offOf(nearest)) nearest = row
      return nearest && offOf(nearest) <= MAX_OFF_MS ? nearest.openInterest : undefined
    },
  }
}
