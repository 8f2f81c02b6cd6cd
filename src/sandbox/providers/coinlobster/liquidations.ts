import { createBoundedCache } from '../../../core/bounded-cache.ts'
import { COINS, type Coin } from '../../../core/coin.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../core/time/time.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'

type Market = Pick<SimulatedMarket, 'perpetual' | 'perpetualVenues'>
type Totals = { longUsd: number; shortUsd: number; longs: number; shorts: number }
type Hour = Readonly<Record<Coin, Totals>>

const HOURS = 24
/** Whose sockets tell of each one, by the names under which they are summed up. */
const VENUES = { binance: 'Binance Futures', bybit: 'Bybit', okx: 'OKX' } as const
const VENUE_KEYS = Object.keys(VENUES) as (keyof typeof VENUES)[]

/** Sums up, hour by hour, the liquidations that the sockets of the venues tell one by one. */
export function createLiquidationSums(market: Market): (nowMs: number) => unknown {
  // An hour that is over does not change, and takes some milliseconds to go through.
  const over = createBoundedCache<number, Hour>({ capacity: 2 * HOURS })
  const hourAt = (t: number, nowMs: number): Hour => {
    const known = over.get(t)
    if (known) return known
    const made = sumHour(market, t, Math.min(nowMs, t + HOUR_MS - 1))
    if (t + HOUR_MS <= nowMs) over.set(t, made)
    return made
  }
  return (nowMs) => {
    const endMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS
    const times = Array.from({ length: HOURS }, (_, i) => endMs - (HOURS - 1 - i) * HOUR_MS)
    return toReply(
      times.map((t) => ({ t, hour: hourAt(t, nowMs) })),
      nowMs,
    )
  }
}

/** Both ends belong to it. */
function sumHour({ perpetual, perpetualVenues }: Market, fromMs: number, toMs: number): Hour {
  const sums = Object.fromEntries(COINS.map((coin) => [coin, NOTHING])) as Record<Coin, Totals>
  for (let atMs = fromMs; atMs <= toMs; atMs += SECOND_MS)
    for (const coin of COINS) {
      const forced = perpetual.liquidation(coin, atMs)
      if (!forced) continue
      for (const venue of VENUE_KEYS)
        for (const { side, price, size } of perpetualVenues.liquidations(venue, forced))
          sums[coin] = add(sums[coin], side === 'sell' ? long(price * size) : short(price * size))
    }
  return sums
}

const NOTHING: Totals = { longUsd: 0, shortUsd: 0, longs: 0, shorts: 0 }
const long = (usd: number): Totals => ({ ...NOTHING, longUsd: usd, longs: 1 })
const short = (usd: number): Totals => ({ ...NOTHING, shortUsd: usd, shorts: 1 })
const add = (a: Totals, b: Totals): Totals => ({
  longUsd: a.longUsd + b.longUsd,
  shortUsd: a.shortUsd + b.shortUsd,
  longs: a.longs + b.longs,
  shorts: a.shorts + b.shorts,
})
const sum = (all: readonly Totals[]): Totals => all.reduce(add, NOTHING)

/** In whole dollars, as it is told. */
const toRow = ({ longUsd, shortUsd, longs, shorts }: Totals) => ({
  longUsd: Math.round(longUsd),
  shortUsd: Math.round(shortUsd),
  count: longs + shorts,
})

function toReply(hours: readonly { t: number; hour: Hour }[], nowMs: number) {
  const coins = COINS.map((base) => {
    const row = toRow(sum(hours.map(({ hour }) => hour[base])))
    return { base, usd: row.longUsd + row.shortUsd, ...row }
  })
  const all = sum(hours.flatMap(({ hour }) => Object.values(hour)))
  const [longUsd, shortUsd] = [total(coins, 'longUsd'), total(coins, 'shortUsd')]
  return {
    success: true,
    available: true,
    as_of: new Date(nowMs - (nowMs % MINUTE_MS)).toISOString(),
    stale: false,
    perp_liquidations: {
      window: '24h',
      count: all.longs + all.shorts,
      total_usd: longUsd + shortUsd,
      long_usd: longUsd,
      short_usd: shortUsd,
      long_count: all.longs,
      short_count: all.shorts,
      long_share_pct: Math.round((100 * longUsd) / Math.max(1, longUsd + shortUsd)),
      dominant_side: longUsd >= shortUsd ? 'long' : 'short',
      hourly: hours.map(({ t, hour }) => ({ t, ...toRow(sum(Object.values(hour))) })),
      top_coins: coins.toSorted((a, b) => b.usd - a.usd),
      venues: Object.values(VENUES),
    },
    named_liquidations: [],
    timestamp: new Date(nowMs).toISOString(),
  }
}

const total = (
  rows: readonly { longUsd: number; shortUsd: number }[],
  side: 'longUsd' | 'shortUsd',
): number => rows.reduce((usd, row) => usd + row[side], 0)
