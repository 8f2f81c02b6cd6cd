import { COINS, type Coin, mapCoins } from '../../../core/coin.ts'
import { MINUTE_MS } from '../../../core/time/time.ts'
import { COIN_MODELS } from '../../market/instrument.ts'
import type { Latent } from '../../market/latent/latent.ts'

const SUPPLY: Readonly<Record<Coin, number>> = { BTC: 19.95e6, ETH: 120.7e6, SOL: 545e6, XRP: 60e9 }
/** What a coin turns over in a day at its usual volatility. */
const DAY_TURNOVER: Readonly<Record<Coin, number>> = { BTC: 45e9, ETH: 25e9, SOL: 6e9, XRP: 5e9 }
/** Coins that are worth what they are worth, whatever the market does. */
const DOLLARS_USD = { usdt: 175e9, usdc: 72e9 }
/** Coins that are not traded here move with ETH, SOL and XRP: what BTC gains on those it gains on the rest. */
const OTHERS_USD = { bnb: 120e9, doge: 30e9, trx: 28e9, ada: 22e9, rest: 410e9 }
const OTHERS_TURNOVER_USD = 30e9
const VOL_MINUTES = 60

export type WholeMarket = { capUsd: number; volumeUsd: number; caps: Readonly<Record<string, number>> }

/** The worth of everything at a time. Depends on seed and time only. */
export function wholeMarketAt(latent: Latent, atMs: number): WholeMarket {
  const prices = mapCoins((coin) => Math.exp(latent.logPrice('coinbase', coin, atMs)))
  const smaller = COINS.filter((coin) => coin !== 'BTC')
  const moved = Math.exp(
    smaller.reduce((sum, coin) => sum + Math.log(prices[coin] / COIN_MODELS[coin].basePriceUsd), 0) /
      smaller.length,
  )
  const others = Object.entries(OTHERS_USD).map(([name, usd]) => [name, usd * moved] as const)
  const ours = COINS.map((coin) => [coin.toLowerCase(), prices[coin] * SUPPLY[coin]] as const)
  const caps = Object.fromEntries([...ours, ...Object.entries(DOLLARS_USD), ...others])
  const busy = (coin: Coin) => meanVol(latent, coin, atMs) / (COIN_MODELS[coin].volPerMinute / Math.sqrt(60))
  const volumes = COINS.map((coin) => DAY_TURNOVER[coin] * busy(coin))
  return {
    capUsd: sumOf(Object.values(caps)),
    volumeUsd: sumOf(volumes) + OTHERS_TURNOVER_USD * busy('ETH'),
    caps,
  }
}

/** Of a second, over the last hour. */
function meanVol(latent: Latent, coin: Coin, atMs: number): number {
  const vols = Array.from({ length: VOL_MINUTES }, (_, back) =>
    latent.vol(coin, Math.floor((atMs - back * MINUTE_MS) / 1000)),
  )
  return sumOf(vols) / vols.length
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
