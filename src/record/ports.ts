import type { Coin } from '../core/coin.ts'
import type { PriceKind } from '../feeds/events.ts'
import type { Prediction } from '../signals/signal.ts'

/** What we say of a window that has not opened; undefined where we cannot say anything. */
export type Predict = (coin: Coin, windowStartS: number) => Prediction | undefined

/** The price that five-minute markets resolve on. `atMs` is the oracle's own time. */
export type OraclePrice = { price: number; kind: PriceKind; atMs: number }
/** Of that very second; undefined while it is not known. */
export type OracleAt = (coin: Coin, atS: number) => OraclePrice | undefined

/** Writes a root hash down where we could not change it later. */
export type Anchor = {
  anchor(rootHash: string, treeSize: number): Promise<{ network: string; tx: string }>
}
