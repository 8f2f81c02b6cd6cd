import { COINS, type Coin } from '../../core/coin.ts'
import { createDraws, createRandomStream, type RandomStream } from '../../core/math/random.ts'
import { HOUR_MS } from '../../core/time/time.ts'
import { COIN_MODELS } from './instrument.ts'
import type { Latent } from './latent/latent.ts'
import type { SimFunding, SimLiquidation } from './sim-events.ts'

export const FUNDING_MS = 8 * HOUR_MS

/** Perpetual futures of the Binance spot pairs. Every value depends on seed and time only. */
export type Perpetual = {
  at(coin: Coin, atMs: number): SimFunding
  /** The estimate of the current eight hours, and the open interest: cheap at any time, since no price is needed. */
  rate(coin: Coin, atMs: number): number
  openInterest(coin: Coin, atMs: number): number
  /** The rate that was settled at `fundingMs`, a multiple of eight hours. */
  settled(coin: Coin, fundingMs: number): { rate: number; markPrice: number }
  /** The liquidation of a whole second: at most one, as the public stream reports them. */
  liquidation(coin: Coin, atMs: number): SimLiquidation | undefined
}

const BASE_OPEN_INTEREST: Readonly<Record<Coin, number>> = {
  BTC: 90_000,
  ETH: 1_900_000,
  SOL: 9_000_000,
  XRP: 350_000_000,
}
const OPEN_INTEREST_SD = 0.04
const SLOW_PREMIUM_SD = 3e-4
const FLOW_PREMIUM = 0.6e-4
const INTEREST_RATE = 0.5e-4
const MAX_RATE = 3e-3
// Liquidations begin at a move of this many standard deviations within ten seconds.
const FORCING_SDS = 2
const FORCING_S = 10
const FORCED_PER_EXCESS = 0.35
const FORCED_NOTIONAL_USD = 20_000
const FORCED_SIZE_SD = 1.2

export function createPerpetual(seed: string, latent: Latent): Perpetual {
  const noise = COINS.map((coin) => createRandomStream(seed, `perpetual/${coin}`))
  const streamOf = (coin: Coin) => noise[COINS.indexOf(coin)] ?? createRandomStream(seed, coin)
  const forced = createDraws(createRandomStream(seed, 'forced'))

  const slowPremium = (coin: Coin, atMs: number) =>
    SLOW_PREMIUM_SD * smooth(streamOf(coin), atMs / FUNDING_MS)
  const index = (coin: Coin, atMs: number) => Math.exp(latent.logPrice('binance', coin, atMs))
  const mark = (coin: Coin, atMs: number) => {
    const pressed = FLOW_PREMIUM * Math.tanh(latent.flow(coin, Math.floor(atMs / 1000)))
    return index(coin, atMs) * (1 + slowPremium(coin, atMs) + pressed)
  }
  /** The rate of the eight hours that end at `endMs`: interest plus the mean slow premium over them. */
  const rateEnding = (coin: Coin, endMs: number) => {
    const mean = (slowPremium(coin, endMs - FUNDING_MS) + slowPremium(coin, endMs)) / 2
    return Math.max(-MAX_RATE, Math.min(MAX_RATE, INTEREST_RATE + mean))
  }
  const nextFunding = (atMs: number) => (Math.floor(atMs / FUNDING_MS) + 1) * FUNDING_MS
  const rateAt = (coin: Coin, atMs: number) => {
    const nextFundingMs = nextFunding(atMs)
    const passed = 1 - (nextFundingMs - atMs) / FUNDING_MS
    return (
      rateEnding(coin, nextFundingMs - FUNDING_MS) * (1 - passed) + rateEnding(coin, nextFundingMs) * passed
    )
  }
  const openInterestAt = (coin: Coin, atMs: number) => {
    // The offset keeps these positions of the random stream apart from those of the premium.
    const wave = smooth(streamOf(coin), 1e9 + atMs / HOUR_MS)
    return BASE_OPEN_INTEREST[coin] * Math.exp(OPEN_INTEREST_SD * wave)
  }
  return {
    rate: rateAt,
    openInterest: openInterestAt,
    at: (coin, atMs) => ({
      coin,
      atMs,
      markPrice: mark(coin, atMs),
      indexPrice: index(coin, atMs),
      rate: rateAt(coin, atMs),
      nextFundingMs: nextFunding(atMs),
      openInterest: openInterestAt(coin, atMs),
    }),
    settled: (coin, fundingMs) => ({
      rate: rateEnding(coin, fundingMs),
      markPrice: mark(coin, fundingMs),
    }),
    liquidation(coin, atMs) {
      const second = Math.floor(atMs / 1000)
      const move =
        latent.logPrice('binance', coin, atMs) - latent.logPrice('binance', coin, atMs - FORCING_S * 1000)
      const usual = (COIN_MODELS[coin].volPerMinute / Math.sqrt(60)) * Math.sqrt(FORCING_S)
      const excess = Math.abs(move) / usual - FORCING_SDS
      if (excess <= 0) return undefined
      forced.seek((second * COINS.length + COINS.indexOf(coin)) * 8)
      if (forced.uniform() >= Math.min(1, FORCED_PER_EXCESS * excess)) return undefined
      const price = mark(coin, atMs)
      const size = (FORCED_NOTIONAL_USD * Math.exp(FORCED_SIZE_SD * forced.normal())) / price
      return { coin, side: move < 0 ? 'sell' : 'buy', price, size, atMs }
    },
  }
}

/** Linear interpolation between standard normals at whole positions. */
export function smooth(stream: RandomStream, position: number): number {
  const whole = Math.floor(position)
  const part = position - whole
  return stream.normal(whole) * (1 - part) + stream.normal(whole + 1) * part
}
