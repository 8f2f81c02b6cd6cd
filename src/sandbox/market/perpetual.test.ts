import { expect, it } from 'vitest'
import { COINS } from '../../core/coin.ts'
import { createLatent } from './latent/latent.ts'
import { createPerpetual, FUNDING_MS } from './perpetual.ts'

const MIDNIGHT_MS = Date.UTC(2026, 4, 6)
const latent = createLatent('perpetual')
const perpetual = createPerpetual('perpetual', latent)

it('marks stay near the index and funding is settled every eight hours', () => {
  for (const coin of COINS)
    for (let hour = 0; hour < 24; hour++) {
      const atMs = MIDNIGHT_MS + hour * 3600_000
      const { markPrice, indexPrice, rate, nextFundingMs, openInterest } = perpetual.at(coin, atMs)
      expect(Math.abs(markPrice / indexPrice - 1)).toBeLessThan(2e-3)
      expect(Math.abs(rate)).toBeLessThan(3e-3)
      expect(nextFundingMs % FUNDING_MS).toBe(0)
      expect(nextFundingMs - atMs).toBeGreaterThan(0)
      expect(nextFundingMs - atMs).toBeLessThanOrEqual(FUNDING_MS)
      expect(openInterest).toBeGreaterThan(0)
    }
})

it('the estimate ends at what is settled', () => {
  const endMs = MIDNIGHT_MS + FUNDING_MS
  expect(perpetual.at('BTC', endMs - 1).rate).toBeCloseTo(perpetual.settled('BTC', endMs).rate, 8)
})

it('large moves liquidate positions on the losing side', () => {
  let forced = 0
  for (let second = 600; second < 20_000; second++)
    for (const coin of COINS) {
      const atMs = MIDNIGHT_MS + second * 1000
      const order = perpetual.liquidation(coin, atMs)
      if (!order) continue
      forced++
      const move = latent.logPrice('binance', coin, atMs) - latent.logPrice('binance', coin, atMs - 10_000)
      expect(order.side).toBe(move < 0 ? 'sell' : 'buy')
      expect(order.size).toBeGreaterThan(0)
      expect(order.atMs).toBe(atMs)
    }
  expect(forced).toBeGreaterThan(20)
  expect(forced).toBeLessThan(5_000)
})
