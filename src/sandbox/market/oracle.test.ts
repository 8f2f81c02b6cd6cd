import { expect, it } from 'vitest'
import { createLatent } from './latent/latent.ts'
import { createOracle } from './oracle.ts'
import type { SimOracleTick } from './sim-events.ts'
import { createSimulatedMarket } from './simulated-market.ts'

const START_MS = Date.UTC(2026, 4, 6, 1)

it('ticks once a second, a second late, with the mean of the last sixty spots', () => {
  const market = createSimulatedMarket({
    seed: 'oracle',
    startMs: START_MS,
    cadence: { bookEveryMs: 1000, tradesPerSecond: 0.1 },
  })
  const ticks: SimOracleTick[] = []
  const heardMs: number[] = []
  market.onOracle((tick) => {
    if (tick.coin !== 'ETH') return
    ticks.push(tick)
    heardMs.push(market.nowMs())
  })
  market.advanceTo(START_MS + 180_000)
  expect(ticks.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 180 }, (_, i) => START_MS + i * 1000))
  expect(heardMs).toEqual(ticks.map(({ atMs }) => atMs + 1000))
  for (let i = 59; i < ticks.length; i++) {
    const last = ticks.slice(i - 59, i + 1)
    const mean = last.reduce((sum, { spotUsd }) => sum + spotUsd, 0) / 60
    expect(ticks[i]?.twap60Usd).toBeCloseTo(mean, 7)
  }
})

it("is the mean of Coinbase's hidden price over the second before", () => {
  const latent = createLatent('oracle')
  const market = createSimulatedMarket({ seed: 'oracle', startMs: START_MS })
  const prices = Array.from({ length: 10 }, (_, i) =>
    Math.exp(latent.logPrice('coinbase', 'BTC', START_MS - i * 100)),
  )
  const mean = prices.reduce((sum, price) => sum + price, 0) / 10
  expect(market.oracle.at('BTC', START_MS / 1000).spotUsd).toBeCloseTo(mean, 6)
  const { bids } = market.book('coinbase', 'BTC')
  expect(Math.abs((bids[0]?.[0] ?? 0) / 100 / mean - 1)).toBeLessThan(1e-3)
})

it('gives the same value whether asked in order or not', () => {
  const market = createSimulatedMarket({
    seed: 'oracle',
    startMs: START_MS,
    cadence: { bookEveryMs: 1000, tradesPerSecond: 0.1 },
  })
  const from = START_MS / 1000 - 300
  const inOrder = Array.from({ length: 300 }, (_, i) => market.oracle.at('XRP', from + i))
  const alone = inOrder.map(({ atMs }) => createOracle(market.latent).at('XRP', atMs / 1000))
  expect(inOrder).toEqual(alone)
})
