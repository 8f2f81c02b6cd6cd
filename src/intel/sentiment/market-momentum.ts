import type { Coin } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { VENUES, type Venue } from '../../feeds/events.ts'
import type { Market } from '../../market/market.ts'
import type { Aged } from '../../upstreams/source.ts'
import { type Part, toPart } from '../part.ts'
import { MOMENTUM_MINUTES, type Momentum, momentumOf } from './momentum.ts'

/** Minutes close one after the other; a pair in which nothing was traded for five of them is not followed. */
export const MOMENTUM_AGES = { freshMs: 2 * MINUTE_MS, hardMs: 5 * MINUTE_MS }

type Ports = { clock: Clock; market: Pick<Market, 'candles'> }
type Kept = { closedMs: number; found: Aged<Momentum> }

/** The momentum of each coin at the first venue that has one. Computed once a minute. */
export function createMarketMomentum({ clock, market }: Ports): (coin: Coin) => Part<Momentum> {
  const kept: Record<Venue, Partial<Record<Coin, Kept>>> = { binance: {}, coinbase: {} }
  const read = (venue: Venue, coin: Coin): Aged<Momentum> | undefined => {
    const newest = market.candles(venue, coin, 1)[0]
    if (!newest) return undefined
    const endMs = newest.openMs + MINUTE_MS
    const closedMs = endMs <= clock.now() ? endMs : newest.openMs
    const last = kept[venue][coin]
    if (last?.closedMs === closedMs) return last.found
    const minutes = market.candles(venue, coin, MOMENTUM_MINUTES + 1)
    const value = momentumOf(minutes.filter(({ openMs }) => openMs < closedMs).slice(-MOMENTUM_MINUTES))
    // While the past is still being read it is tried again.
    if (!value) return undefined
    const found = { value, asOfMs: closedMs }
    kept[venue][coin] = { closedMs, found }
    return found
  }
  const partOf = (venue: Venue, coin: Coin): Part<Momentum> => {
    const part = toPart(
      { source: `${venue}_candles`, ages: MOMENTUM_AGES, nowMs: clock.now() },
      read(venue, coin),
    )
    return part.status === 'missing' ? { ...part, reason: 'too few minutes of trading are known' } : part
  }
  return (coin) => {
    const parts = VENUES.map((venue) => partOf(venue, coin))
    const [first] = parts
    return parts.find(({ status }) => status !== 'missing') ?? first ?? partOf('binance', coin)
  }
}
