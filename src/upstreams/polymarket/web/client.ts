import type { Coin } from '../../../core/coin.ts'
import type { Window } from '../../../core/time/window.ts'
import type { Upstream } from '../../upstream.ts'
import { type CryptoPrice, CryptoPriceReply, type Geoblock, GeoblockReply } from './wire.ts'

/** What only the web site of Polymarket tells. */
export type PolyWeb = {
  /** Opening and closing price of a five-minute window; without a lookback both are spot prices. */
  windowPrice(coin: Coin, window: Window, twapLookbackS?: number): Promise<CryptoPrice>
  /** Whether orders from our address are refused; to be asked before trading. */
  geoblock(): Promise<Geoblock>
}

export function createPolyWeb({ ask }: Pick<Upstream, 'ask'>): PolyWeb {
  return {
    windowPrice: (coin, { startS, endS }, twapLookbackS) =>
      ask({
        path: '/api/crypto/crypto-price',
        query: {
          symbol: coin,
          eventStartTime: isoOf(startS),
          variant: 'fiveminute',
          endDate: isoOf(endS),
          twapEnabled: twapLookbackS === undefined ? undefined : true,
          twapLookbackSeconds: twapLookbackS,
        },
        schema: CryptoPriceReply,
      }),
    geoblock: () => ask({ path: '/api/geoblock', schema: GeoblockReply }),
  }
}

/** `2026-09-28T17:45:00Z`, as the venue writes it. */
const isoOf = (epochS: number) => new Date(epochS * 1000).toISOString().replace('.000Z', 'Z')
