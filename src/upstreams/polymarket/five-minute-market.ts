import type { Coin } from '../../core/coin.ts'
import type { Window } from '../../core/time/window.ts'

/** What a taker pays: shares × rate × (price × (1 − price)) ^ exponent, in pUSD. Makers pay nothing. */
export type TakerFee = { rate: number; exponent: number }

/** One window of Polymarket's `{coin}-updown-5m-{epoch}` series. Undefined means that the venue does not say. */
export type FiveMinuteMarket = {
  coin: Coin
  window: Window
  slug: string
  question: string
  conditionId: string
  /** By label; the order on the wire means nothing. */
  tokens: { up: string; down: string }
  acceptingOrders: boolean
  closed: boolean
  tickSize: number
  /** In shares. */
  minOrderSize: number
  /** Undefined: fees are off. */
  fee: TakerFee | undefined
  negRisk: boolean
  /** What opening and close are compared on. */
  resolution: { kind: 'twap_60s' | 'spot' | 'other'; source: string }
  /** Known some time after the close. */
  outcome: 'UP' | 'DOWN' | undefined
  priceToBeat: number | undefined
  finalPrice: number | undefined
  volumeUsd: number | undefined
  liquidityUsd: number | undefined
  /** `v1`: conditional tokens; another one is not traded by us. */
  version: string
}

export const slugOf = (coin: Coin, windowStartS: number): string =>
  `${coin.toLowerCase()}-updown-5m-${windowStartS}`
