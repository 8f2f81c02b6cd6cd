import { type Coin, mapCoins } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'
import type { Liquidation } from '../../upstreams/perpetuals/liquidation.ts'
import { LIQUIDATION_VENUES, type LiquidationVenue } from './liquidation-streams.ts'

/** A day, and the minute that is under way. */
const MINUTES = DAY_MS / MINUTE_MS + 1
const SECONDS_PER_MINUTE = 60
/** A venue's clock may run ahead of ours by so much. */
const MAX_AHEAD_MS = 10 * SECOND_MS

/** By whole minutes, the one under way included. Both ends are minutes before now; `from` is the earlier one. */
export type Span = { fromMinutes: number; toMinutes: number }

export type LiquidationSum = { longUsd: number; shortUsd: number; count: number }

/** What was liquidated in each minute of the last day, and when each venue was listened to. */
export type LiquidationTally = {
  note(liquidation: Liquidation): void
  /** Called every second while the venue is connected. */
  listened(venue: LiquidationVenue): void
  sum(coin: Coin, span: Span): LiquidationSum
  /** How long each venue was listened to within the span. */
  listenedMs(span: Span): Readonly<Record<LiquidationVenue, number>>
  /** The earliest minute of the last day that any venue was listened to; undefined before the first. */
  sinceMs(): number | undefined
}

export function createLiquidationTally({ clock }: { clock: Pick<Clock, 'now'> }): LiquidationTally {
  const usd = mapCoins(() => ({ long: new Float64Array(MINUTES), short: new Float64Array(MINUTES) }))
  const counts = mapCoins(() => new Uint32Array(MINUTES))
  const seconds: Record<LiquidationVenue, Uint8Array> = {
    binance: new Uint8Array(MINUTES),
    bybit: new Uint8Array(MINUTES),
    okx: new Uint8Array(MINUTES),
  }
  const columns = [
    ...Object.values(usd).flatMap(({ long, short }) => [long, short]),
    ...Object.values(counts),
    ...Object.values(seconds),
  ]
  let newest = Math.floor(clock.now() / MINUTE_MS)

  /** Forgets what the minutes since the last call would be written over. A clock set back changes nothing. */
  const roll = () => {
    const minute = Math.floor(clock.now() / MINUTE_MS)
    for (let next = Math.max(newest + 1, minute - MINUTES + 1); next <= minute; next++)
      for (const column of columns) column[next % MINUTES] = 0
    newest = Math.max(newest, minute)
  }
  const eachSlot = ({ fromMinutes, toMinutes }: Span, add: (slot: number) => void) => {
    const last = newest - toMinutes
    for (let minute = Math.max(newest - MINUTES, newest - fromMinutes) + 1; minute <= last; minute++)
      add(minute % MINUTES)
  }
  return {
    note({ coin, side, usd: amount, atMs }) {
      roll()
      const minute = Math.min(newest, Math.floor(atMs / MINUTE_MS))
      if (minute <= newest - MINUTES || atMs > clock.now() + MAX_AHEAD_MS) return
      const column = usd[coin][side]
      column[minute % MINUTES] = (column[minute % MINUTES] ?? 0) + amount
      counts[coin][minute % MINUTES] = (counts[coin][minute % MINUTES] ?? 0) + 1
    },
    listened(venue) {
      roll()
      const slot = Math.floor(clock.now() / MINUTE_MS) % MINUTES
      seconds[venue][slot] = Math.min(SECONDS_PER_MINUTE, (seconds[venue][slot] ?? 0) + 1)
    },
    sum(coin, span) {
      roll()
      const total = { longUsd: 0, shortUsd: 0, count: 0 }
      const [{ long, short }, count] = [usd[coin], counts[coin]]
      eachSlot(span, (slot) => {
        total.longUsd += long[slot] ?? 0
        total.shortUsd += short[slot] ?? 0
        total.count += count[slot] ?? 0
      })
      return total
    },
    listenedMs(span) {
      roll()
      const sums = { binance: 0, bybit: 0, okx: 0 }
      eachSlot(span, (slot) => {
        for (const venue of LIQUIDATION_VENUES) sums[venue] += (seconds[venue][slot] ?? 0) * SECOND_MS
      })
      return sums
    },
    sinceMs() {
      roll()
      for (let minute = newest - MINUTES + 1; minute <= newest; minute++)
        if (LIQUIDATION_VENUES.some((venue) => (seconds[venue][minute % MINUTES] ?? 0) > 0))
          return minute * MINUTE_MS
      return undefined
    },
  }
}
