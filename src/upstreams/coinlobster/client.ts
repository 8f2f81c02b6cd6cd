import type { Upstream } from '../upstream.ts'
import { LiquidationsReply, type LiquidationTotals, type WhaleList, WhalesReply } from './wire.ts'

/** Large trades at some fifteen exchanges, gathered by CoinLobster. */
export type CoinLobster = {
  /** The last fifty, newest first. */
  whales(): Promise<WhaleList>
  liquidations(): Promise<LiquidationTotals>
}

export function createCoinLobster({ ask }: Pick<Upstream, 'ask'>): CoinLobster {
  return {
    whales: () => ask({ path: '/api/public/crypto-whales', schema: WhalesReply }),
    liquidations: () => ask({ path: '/api/public/liquidations', schema: LiquidationsReply }),
  }
}
