import { describe, expect, it } from 'vitest'
import { COINS, type Coin } from '../../../core/coin.ts'
import { COIN_MODELS } from '../instrument.ts'
import { createOracle } from '../oracle.ts'
import { createLatent } from './latent.ts'
import { SIM_REGIMES } from './regime.ts'

const DAY_S = Date.UTC(2026, 2, 3) / 1000
const LATENTS = Array.from({ length: 6 }, (_, i) => createLatent(`latent test ${i}`))

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
function correlation(xs: readonly number[], ys: readonly number[]): number {
  const [mx, my] = [mean(xs), mean(ys)]
  const cov = mean(xs.map((x, i) => (x - mx) * ((ys[i] ?? 0) - my)))
  return cov / Math.sqrt(mean(xs.map((x) => (x - mx) ** 2)) * mean(ys.map((y) => (y - my) ** 2)))
}

/** Log moves of Coinbase's price over `stepS`, one day for every seed. */
function moves(coin: Coin, stepS: number): readonly number[] {
  return LATENTS.flatMap((latent) => {
    const prices = Array.from({ length: Math.floor(86_000 / stepS) }, (_, i) =>
      latent.logPrice('coinbase', coin, (DAY_S + 60 + i * stepS) * 1000),
    )
    return prices.slice(1).map((price, i) => price - (prices[i] ?? 0))
  })
}

describe('the hidden market', () => {
  it('is the same at the same second however it was reached', () => {
    const seconds = Array.from({ length: 50 }, (_, i) => DAY_S + i * 211)
    const read = (order: readonly number[]) => {
      const latent = createLatent('same')
      const found = new Map(
        order.map((s) => [s, [latent.logPrice('binance', 'ETH', s * 1000 + 400), latent.flow('ETH', s)]]),
      )
      return seconds.map((s) => found.get(s))
    }
    expect(read([...seconds].reverse())).toEqual(read(seconds))
    expect(createLatent('other').logPrice('binance', 'ETH', DAY_S * 1000)).not.toBe(
      createLatent('same').logPrice('binance', 'ETH', DAY_S * 1000),
    )
  })

  it('is continuous at midnight in price, volatility and basis', () => {
    for (const latent of LATENTS.slice(0, 3)) {
      for (const coin of COINS) {
        const vol = latent.vol(coin, DAY_S)
        const move =
          latent.logPrice('coinbase', coin, DAY_S * 1000 + 400) -
          latent.logPrice('coinbase', coin, DAY_S * 1000 - 600)
        expect(Math.abs(move)).toBeLessThan(6 * vol)
        // A new regime scales volatility by at most 1.1 / 0.95, ten seconds of noise by some 3 % more.
        expect(Math.abs(Math.log(latent.vol(coin, DAY_S - 1) / vol))).toBeLessThan(0.3)
      }
      const basis = (atMs: number) =>
        latent.logPrice('binance', 'BTC', atMs) - latent.logPrice('coinbase', 'BTC', atMs + 300)
      expect(Math.abs(basis(DAY_S * 1000) - basis(DAY_S * 1000 - 1000))).toBeLessThan(2e-5)
    }
  })

  it('stays around its base over years', () => {
    for (let year = 0; year < 8; year++) {
      const latent = createLatent('years')
      for (const coin of COINS) {
        const offset =
          latent.logPrice('coinbase', coin, (DAY_S + year * 365 * 86_400) * 1000 + 300) -
          Math.log(COIN_MODELS[coin].basePriceUsd)
        // The level forgets 5 % a day: its spread is 1 / sqrt(1 - 0.95²) = 3.2 daily moves.
        expect(Math.abs(offset)).toBeLessThan(4 * 3.2 * COIN_MODELS[coin].volPerMinute * Math.sqrt(1440))
      }
    }
  })

  it.each(COINS)('moves %s as much a minute as its model says', (coin) => {
    const perMinute = Math.sqrt(mean(moves(coin, 60).map((move) => move ** 2)))
    expect(perMinute / COIN_MODELS[coin].volPerMinute).toBeGreaterThan(0.8)
    expect(perMinute / COIN_MODELS[coin].volPerMinute).toBeLessThan(1.35)
  })

  it('correlates the coins as their loadings say', () => {
    const all = new Map(COINS.map((coin) => [coin, moves(coin, 60)]))
    for (const one of COINS)
      for (const other of COINS) {
        if (one >= other) continue
        const found = correlation(all.get(one) ?? [], all.get(other) ?? [])
        // Jumps of single coins take away a little.
        const product = COIN_MODELS[one].marketLoading * COIN_MODELS[other].marketLoading
        expect(found).toBeGreaterThan(product - 0.2)
        expect(found).toBeLessThan(product + 0.05)
      }
  })

  it('has fat tails and visits every regime', () => {
    const minutes = moves('BTC', 60)
    const variance = mean(minutes.map((m) => m ** 2))
    expect(mean(minutes.map((m) => m ** 4)) / variance ** 2).toBeGreaterThan(3.5)
    const seen = new Set<string>()
    const latent = createLatent('regimes')
    for (let s = DAY_S; s < DAY_S + 86_400; s += 60) seen.add(latent.regime(s))
    expect([...seen].sort()).toEqual([...SIM_REGIMES].sort())
  })
})

describe('five-minute windows of the hidden market', () => {
  const windows = LATENTS.flatMap((latent) => {
    const oracle = createOracle(latent)
    return Array.from({ length: 285 }, (_, i) => {
      const startS = DAY_S + 300 + i * 300
      const price = (s: number) => latent.logPrice('coinbase', 'BTC', s * 1000 + 300)
      const twap = (s: number) => Math.log(oracle.at('BTC', s).twap60Usd)
      return {
        flow: latent.flow('BTC', startS),
        move: price(startS + 300) - price(startS),
        recent: price(startS) - price(startS - 300),
        twapMove: twap(startS + 300) - twap(startS),
      }
    })
  })
  const standardError = 0.5 / Math.sqrt(windows.length)

  it('are a coin flip at the start', () => {
    const up = mean(windows.map(({ twapMove }) => (twapMove >= 0 ? 1 : 0)))
    expect(Math.abs(up - 0.5)).toBeLessThan(3.5 * standardError)
  })

  it('move by a plausible amount: some 11 bps on average', () => {
    const size = mean(windows.map(({ twapMove }) => Math.abs(twapMove)))
    expect(size).toBeGreaterThan(8e-4)
    expect(size).toBeLessThan(15e-4)
  })

  it('carry a small edge in order flow', () => {
    const found = correlation(
      windows.map((w) => w.flow),
      windows.map((w) => w.move),
    )
    // The model says 0.04 * 45 s / sqrt(300 s) = 0.10; the standard error here is 0.024.
    expect(found).toBeGreaterThan(0.04)
    expect(found).toBeLessThan(0.17)
    const hits = mean(windows.map(({ flow, move }) => (flow >= 0 === move >= 0 ? 1 : 0)))
    expect(hits).toBeLessThan(0.56)
    expect(
      Math.abs(
        correlation(
          windows.map((w) => w.recent),
          windows.map((w) => w.move),
        ),
      ),
    ).toBeLessThan(0.12)
  })
})
