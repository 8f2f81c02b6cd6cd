import type { Coin } from '../core/coin.ts'
import type { PriceKind } from '../feeds/events.ts'
import type { Prediction } from '../signals/signal.ts'

/** The prediction for a window that has not opened; undefined where there is none. */
export type Predict = (coin: Coin, windowStartS: number) => Prediction | undefined

/** The price that five-minute markets resolve on. `atMs` is the oracle's own time. */
export type OraclePrice = { price: number; kind: PriceKind; atMs: number }
/** The price of exactly that second; undefined while it is unknown. */
export type OracleAt = (coin: Coin, atS: number) => OraclePrice | undefined

/** Publishes a root hash where we cannot change it later. */
export type Anchor = {
  anchor(rootHash: string, treeSize: number): Promise<{ network: string; tx: string }>
}
