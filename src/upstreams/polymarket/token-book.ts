import type { Level } from '../../core/level.ts'

/** Resting orders on one outcome token, best first on both sides. Prices are 0..1, sizes are shares. */
export type TokenBook = {
  tokenId: string
  conditionId: string
  bids: readonly Level[]
  asks: readonly Level[]
  tickSize: number | undefined
  minOrderSize: number | undefined
  lastTradePrice: number | undefined
  hash: string | undefined
  /** The venue's time of the last change. */
  atMs: number
}
