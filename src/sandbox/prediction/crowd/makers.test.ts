import { describe, expect, it } from 'vitest'
import { COINS } from '../../../core/coin.ts'
import { createDraws, createRandomStream } from '../../../core/math/random.ts'
import { MINUTE_MS, SECOND_MS } from '../../../core/time/time.ts'
import { windowAt } from '../../../core/time/window.ts'
import { searchSize } from '../../../testing/search-size.ts'
import { slugOf } from '../../../upstreams/polymarket/five-minute-market.ts'
import { toPrice } from '../../market/instrument.ts'
import { createSimulatedMarket } from '../../market/simulated-market.ts'
import { FEE_RATE } from '../book/amounts.ts'
import { createPredictionVenue } from '../prediction-venue.ts'
import type { VenueMarket } from '../venue.ts'
import { createFairUp, probabilityOf } from '../windows/fair-up.ts'
import { createVolatility } from '../windows/volatility.ts'

const START_MS = Date.UTC(2026, 4, 6, 13)
const MINUTES = searchSize('venue-minutes')
/** A trade is judged by the fair price this much later, which says the same as the outcome with far less noise. */
const JUDGED_AFTER_MS = 10 * SECOND_MS
const RANDOM_EVERY_MS = 10 * SECOND_MS
const LAST_TRADE_BEFORE_END_MS = 20 * SECOND_MS

type Trader = 'fast' | 'random'
type Bought = {
  trader: Trader
  market: VenueMarket
  token: 0 | 1
  cost: number
  atMs: number
  halfSpread: number
  fee: number
}

/** Trades five shares at a time as one who knows each price at once, and as one who knows nothing. */
function trade() {
  const market = createSimulatedMarket({
    seed: 'makers',
    startMs: START_MS,
    cadence: { bookEveryMs: SECOND_MS, tradesPerSecond: 0.1 },
  })
  const venue = createPredictionVenue({ seed: 'makers', market })
  const volatility = createVolatility(market.oracle)
  const draws = createDraws(createRandomStream('makers', 'random trader'))
  const fairs = new Map<string, ReturnType<typeof createFairUp>>()
  const fairOf = ({ slug, series }: VenueMarket) => {
    if (!series) throw new Error('not a window')
    const fair = fairs.get(slug) ?? createFairUp(market.oracle, series.coin, series.windowStartS)
    fairs.set(slug, fair)
    const { bids, asks } = market.book('coinbase', series.coin)
    const midTicks = ((bids[0]?.[0] ?? 0) + (asks[0]?.[0] ?? 0)) / 2
    const priceUsd = toPrice(market.instrument('coinbase', series.coin), midTicks)
    return probabilityOf(fair({ atMs: market.nowMs(), priceUsd, volPerSecond: volatility.of(series.coin) }))
  }
  const waiting = new Map<string, Pick<Bought, 'trader' | 'token' | 'halfSpread'>>()
  let open: Bought[] = []
  const results: Record<Trader, { gain: number; expectedLoss: number }[]> = { fast: [], random: [] }
  const mids: { market: VenueMarket; mid: number }[] = []
  const spreads: number[] = []
  venue.onEvent((event) => {
    if (event.type !== 'trade') return
    const { orderId, priceE4, feeE6, sharesE6, atMs } = event.fill
    const order = waiting.get(orderId)
    const fee = feeE6 / sharesE6
    if (order) open.push({ ...order, market: event.market, cost: priceE4 / 1e4 + fee, atMs, fee })
  })
  let count = 0
  const buy = (market: VenueMarket, token: 0 | 1, priceE4: number, trader: Trader, halfSpread: number) => {
    const id = `0x${++count}`
    waiting.set(id, { trader, token, halfSpread })
    const tokenId = market.tokenIds[token]
    const wanted = { id, wallet: trader, tokenId, side: 'BUY', priceE4, sharesE6: 5e6 } as const
    // Below a dollar the venue takes no such order; the cheapest of tokens are left alone.
    if (priceE4 >= 2000) venue.place({ ...wanted, kind: 'FAK', postOnly: false, expiresMs: undefined })
  }
  const judge = () => {
    const isDue = ({ atMs }: Bought) => market.nowMs() >= atMs + JUDGED_AFTER_MS
    for (const { market, token, cost, trader, fee, halfSpread } of open.filter(isDue)) {
      const fair = fairOf(market)
      results[trader].push({ gain: (token === 0 ? fair : 1 - fair) - cost, expectedLoss: fee + halfSpread })
    }
    open = open.filter((bought) => !isDue(bought))
  }
  const look = (coin: (typeof COINS)[number], nowMs: number) => {
    const window = venue.findBySlug(slugOf(coin, windowAt(nowMs).startS))
    const book = window && venue.book(window.tokenIds[0])
    const [bid, ask] = [book?.bids[0]?.[0], book?.asks[0]?.[0]]
    if (!window || bid === undefined || ask === undefined || window.endsMs - nowMs < LAST_TRADE_BEFORE_END_MS)
      return
    const fair = fairOf(window)
    const halfSpread = (ask - bid) / 2e4
    if (window.tickE4 === 100) spreads.push((ask - bid) / 100)
    const worth = (probability: number, priceE4: number) => {
      const price = priceE4 / 1e4
      return probability - price - FEE_RATE * price * (1 - price)
    }
    if (worth(fair, ask) > 0.005) buy(window, 0, ask, 'fast', halfSpread)
    if (worth(1 - fair, 10_000 - bid) > 0.005) buy(window, 1, 10_000 - bid, 'fast', halfSpread)
    if (nowMs % RANDOM_EVERY_MS !== 0) return
    mids.push({ market: window, mid: (bid + ask) / 2e4 })
    const token = draws.uniform() < 0.5 ? 0 : 1
    buy(window, token, token === 0 ? ask : 10_000 - bid, 'random', halfSpread)
  }
  for (let nowMs = START_MS; nowMs < START_MS + MINUTES * MINUTE_MS; nowMs += SECOND_MS) {
    market.advanceTo(nowMs)
    volatility.advanceTo(nowMs / 1000 - 1)
    judge()
    for (const coin of COINS) look(coin, nowMs)
  }
  market.advanceTo(START_MS + MINUTES * MINUTE_MS + 10 * MINUTE_MS)
  return { results, mids, spreads }
}

describe(`the makers over ${MINUTES} minutes`, () => {
  const { results, mids, spreads } = trade()
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length
  const gains = (trader: Trader) => results[trader].map(({ gain }) => gain)

  it('quote prices that say something about the outcome', () => {
    const known = mids.filter(({ market }) => market.winner !== undefined)
    const brier = mean(known.map(({ market, mid }) => (mid - (market.winner === 0 ? 1 : 0)) ** 2))
    expect(known.length).toBeGreaterThan(15 * MINUTES)
    expect(brier).toBeLessThan(0.21)
    expect(brier).toBeGreaterThan(0.1)
  })

  it('quote close: mostly within three ticks', () => {
    const sorted = spreads.toSorted((a, b) => a - b)
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(3)
    expect(sorted[0]).toBe(1)
  })

  it('leave little to one who is faster, and that not often', () => {
    // Looked for every second in four markets.
    expect(gains('fast').length).toBeGreaterThan(MINUTES)
    expect(gains('fast').length).toBeLessThan(12.5 * MINUTES)
    expect(mean(gains('fast'))).toBeGreaterThan(0.002)
    expect(mean(gains('fast'))).toBeLessThan(0.05)
  })

  it('cost one who knows nothing the fee and half of the spread', () => {
    const expected = -mean(results.random.map(({ expectedLoss }) => expectedLoss))
    expect(mean(gains('random'))).toBeLessThan(-0.01)
    expect(Math.abs(mean(gains('random')) - expected)).toBeLessThan(0.012)
  })
})
