import type { Coin } from '../../core/coin.ts'
import type { Upstream } from '../upstream.ts'
import { type EtfHistory, EtfReply } from './wire.ts'

/** Coins with spot funds on American exchanges whose flows are told. */
export const ETF_COINS = ['BTC', 'ETH', 'SOL'] as const satisfies readonly Coin[]
export type EtfCoin = (typeof ETF_COINS)[number]

/** Three hundred days of 150 bytes. */
const MAX_BYTES = 1024 * 1024

/** Money that went into and out of the American spot funds of a coin, day by day. */
export type SosoValue = { inflows(coin: EtfCoin): Promise<EtfHistory> }

export function createSosoValue({ ask }: Pick<Upstream, 'ask'>): SosoValue {
  return {
    inflows: (coin) =>
      ask({
        path: '/openapi/v2/etf/historicalInflowChart',
        body: { type: `us-${coin.toLowerCase()}-spot` },
        schema: EtfReply,
        maxBytes: MAX_BYTES,
      }),
  }
}
