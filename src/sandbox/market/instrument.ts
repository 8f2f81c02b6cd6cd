import type { ProviderName } from '../../config/providers.ts'
import type { Coin } from '../../core/coin.ts'

/** The simulated venues; `binance` quotes in USDT and leads, `coinbase` quotes in USD and follows. */
export const SIM_VENUES = ['binance', 'coinbase'] as const satisfies readonly ProviderName[]
export type SimVenue = (typeof SIM_VENUES)[number]

/** What the simulator assumes about a coin. Volatility is the average standard deviation of one-minute log returns. */
export type CoinModel = {
  basePriceUsd: number
  volPerMinute: number
  /** Loading on the common market factor; the correlation of two coins is the product of their loadings. */
  marketLoading: number
  /** Orders per second, relative to BTC. */
  activity: number
}

export const COIN_MODELS: Readonly<Record<Coin, CoinModel>> = {
  BTC: { basePriceUsd: 100_000, volPerMinute: 6.5e-4, marketLoading: 0.92, activity: 1 },
  ETH: { basePriceUsd: 3_500, volPerMinute: 9e-4, marketLoading: 0.9, activity: 0.7 },
  SOL: { basePriceUsd: 160, volPerMinute: 11e-4, marketLoading: 0.84, activity: 0.5 },
  XRP: { basePriceUsd: 2.4, volPerMinute: 10.5e-4, marketLoading: 0.78, activity: 0.35 },
}

/** Prices are whole ticks and sizes whole lots inside the simulator: no rounding ever reaches the wire. */
export type Instrument = {
  venue: SimVenue
  coin: Coin
  /** The venue's name of the pair. */
  symbol: string
  priceDecimals: number
  sizeDecimals: number
  /** Distance between levels behind the best price, in ticks: about the move of a tenth of a second. */
  levelStepTicks: number
}

const PRICE_DECIMALS: Readonly<Record<Coin, number>> = { BTC: 2, ETH: 2, SOL: 2, XRP: 4 }
const LEVEL_STEP_TICKS: Readonly<Record<Coin, number>> = { BTC: 200, ETH: 10, SOL: 1, XRP: 1 }
// Lot sizes of Binance spot; Coinbase counts in hundred-millionths, XRP in millionths.
const BINANCE_SIZE_DECIMALS: Readonly<Record<Coin, number>> = { BTC: 5, ETH: 4, SOL: 3, XRP: 1 }
const COINBASE_SIZE_DECIMALS: Readonly<Record<Coin, number>> = { BTC: 8, ETH: 8, SOL: 8, XRP: 6 }

export function instrumentOf(venue: SimVenue, coin: Coin): Instrument {
  const isBinance = venue === 'binance'
  return {
    venue,
    coin,
    symbol: isBinance ? `${coin}USDT` : `${coin}-USD`,
    priceDecimals: PRICE_DECIMALS[coin],
    sizeDecimals: (isBinance ? BINANCE_SIZE_DECIMALS : COINBASE_SIZE_DECIMALS)[coin],
    levelStepTicks: LEVEL_STEP_TICKS[coin],
  }
}

export function toPrice(instrument: Instrument, ticks: number): number {
  return ticks / 10 ** instrument.priceDecimals
}

export function toSize(instrument: Instrument, lots: number): number {
  return lots / 10 ** instrument.sizeDecimals
}

/** `decimalText(123456, 2, 8)` is `1234.56000000`: exact, since no fraction is ever a float. */
export function decimalText(units: number, decimals: number, shownDecimals = decimals): string {
  const digits = String(Math.abs(units)).padStart(decimals + 1, '0')
  const split = digits.length - decimals
  const fraction = digits.slice(split).padEnd(shownDecimals, '0')
  const sign = units < 0 ? '-' : ''
  return fraction ? `${sign}${digits.slice(0, split)}.${fraction}` : sign + digits
}
