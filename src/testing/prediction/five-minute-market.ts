import type { Coin } from '../../core/coin.ts'
import { WINDOW_S } from '../../core/time/window.ts'
import { type FiveMinuteMarket, slugOf } from '../../upstreams/polymarket/five-minute-market.ts'

/** The market of a window, made up. */
export function fiveMinuteMarket({
  coin,
  startS,
  ...given
}: { coin: Coin; startS: number } & Partial<FiveMinuteMarket>): FiveMinuteMarket {
  const id = BigInt(startS) * 10n + BigInt(coin.charCodeAt(0))
  return {
    coin,
    window: { startS, endS: startS + WINDOW_S },
    slug: slugOf(coin, startS),
    question: `${coin} Up or Down`,
    conditionId: `0x${id.toString(16).padStart(64, '0')}`,
    tokens: { up: `${id}1`, down: `${id}2` },
    acceptingOrders: true,
    closed: false,
    tickSize: 0.01,
    minOrderSize: 5,
    fee: { rate: 0.07, exponent: 1 },
    negRisk: false,
    resolution: { kind: 'twap_60s', source: 'made up' },
    outcome: undefined,
    priceToBeat: undefined,
    finalPrice: undefined,
    volumeUsd: undefined,
    liquidityUsd: undefined,
    version: 'v1',
    ...given,
  }
}
