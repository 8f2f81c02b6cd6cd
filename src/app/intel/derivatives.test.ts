import { afterAll, beforeAll, expect, it } from 'vitest'
import { COINS } from '../../core/coin.ts'
import { silentLog } from '../../core/log.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import { DERIVATIVES_VENUES } from '../../intel/derivatives/derivatives.ts'
import { derivativesGroup } from '../../products/derivatives/group.ts'
import type { DerivativesServices } from '../../products/derivatives/services.ts'
import { type Internet, startInternet } from '../../sandbox/internet.ts'
import { createSimulatedMarket, type SimulatedMarket } from '../../sandbox/market/simulated-market.ts'
import { createHosts, type Hosts } from '../upstream-hosts.ts'
import { type OpenDerivatives, openDerivatives } from './derivatives.ts'

/** With this seed some minutes in which positions of both sides are liquidated begin here. */
const START_MS = Date.UTC(2026, 4, 6, 7, 45)
const clock = createManualClock(START_MS)
let market: SimulatedMarket
let internet: Internet
let hosts: Hosts
let open: OpenDerivatives

beforeAll(async () => {
  market = createSimulatedMarket({ seed: 'derivatives', startMs: START_MS, cadence: { bookEveryMs: 10_000 } })
  internet = await startInternet({ market, clock })
  hosts = createHosts({ clock, log: silentLog, random: () => 0.5 })
  const nothing = { candles: () => [], price: () => undefined }
  open = openDerivatives({ upstreams: internet.urls, hosts, market: nothing, clock, log: silentLog })
  await open.start()
})
afterAll(async () => {
  open.stop()
  hosts.close()
  await internet.close()
})

it('reads four venues of one world', () => {
  for (const coin of COINS)
    for (const venue of DERIVATIVES_VENUES) {
      const part = open.derivatives.perpetual(venue, coin)
      const there = market.perpetualVenues.at(venue, coin, START_MS)
      expect(part).toMatchObject({ status: 'fresh', asOfMs: START_MS })
      expect((part.value?.openInterestUsd ?? 0) / (there.openInterest * there.markPrice)).toBeCloseTo(1, 4)
      expect((part.value?.markPrice ?? 0) / there.indexPrice).toBeCloseTo(1, 2)
      const hours = market.perpetualVenues.intervalMs(venue) / HOUR_MS
      expect(part.value?.intervalHours).toBe(hours)
      expect(part.value?.funding8h).toBeCloseTo((there.rate * 8) / hours, 7)
      expect(part.value?.nextFundingMs).toBe(there.nextFundingMs)
      if (venue !== 'hyperliquid') expect(part.value?.openInterestChange24h).toBeTypeOf('number')
    }
})

it('compares the spread with a week of settlements', () => {
  const { divergence, funding8h } = open.derivatives.overview('BTC')
  expect(divergence?.pastSpans).toBeGreaterThanOrEqual(20)
  expect(divergence?.score).toBeTypeOf('number')
  expect(divergence?.mean8h).toBe(funding8h)
})

it('hears the liquidations of three venues, each in its own words', async () => {
  const told = { long: 0, short: 0 }
  const stop = market.onLiquidation((forced) => {
    for (const venue of ['binance', 'bybit', 'okx'] as const)
      for (const { side, price, size } of market.perpetualVenues.liquidations(venue, forced))
        told[side === 'sell' ? 'long' : 'short'] += price * size
  })
  // Less than half an hour is not called the last hour.
  for (let half = 0; half < 60; half++) {
    clock.advance(MINUTE_MS / 2)
    await internet.advanceTo(START_MS + (half + 1) * (MINUTE_MS / 2))
  }
  stop()
  const heard = { long: 0, short: 0 }
  expect(open.derivatives.liquidationTotals('BTC', 'day').status).toBe('missing')
  for (const coin of COINS) {
    const { value, status } = open.derivatives.liquidationTotals(coin, 'hour')
    expect(status).toBe('fresh')
    expect(value?.coverage.okx).toBeGreaterThan(0.9)
    heard.long += value?.longUsd ?? 0
    heard.short += value?.shortUsd ?? 0
  }
  expect(told.long).toBeGreaterThan(0)
  expect(told.short).toBeGreaterThan(0)
  // Sizes are told with a few decimals only.
  expect(heard.long / told.long).toBeCloseTo(1, 1)
  expect(heard.short / told.short).toBeCloseTo(1, 1)
})

const services = (): DerivativesServices => ({
  clock,
  derivatives: open.derivatives,
  wholeMarket: () => ({ source: 'coingecko', status: 'missing', reason: 'not read yet' }),
  sourceOf: (source) => `sandbox:${source}`,
})
const [product] = derivativesGroup.endpoints
const ask = () => {
  if (product?.kind !== 'product') throw new Error('no product')
  return product.response.parse(product.handle(services(), {}))
}

it('sells it as one reply that keeps its own format', () => {
  const reply = ask() as { coins: { coin: string; venues: { status: string }[] }[]; source: string }
  expect(reply.coins.map(({ coin }) => coin)).toEqual(COINS)
  expect(reply.source).toBe('sandbox:binance_futures+bybit+okx+hyperliquid')
  expect(reply.coins[0]?.venues).toHaveLength(4)
})
