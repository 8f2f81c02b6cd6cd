import { WINDOW_S } from '../../core/time/window.ts'
import { entryOf, type PublicPrice, type RevealLeaf, type UnknownReason } from '../log/leaf.ts'
import type { PendingCommit } from '../log/record-state.ts'
import type { OracleAt, OraclePrice } from '../ports.ts'
import type { SealedPrediction } from './sealed-prediction.ts'

export type Prices = { open: OraclePrice | undefined; close: OraclePrice | undefined }

export function pricesOf(oracle: OracleAt, { coin, window_start }: PendingCommit): Prices {
  return {
    open: priceAt(oracle, coin, window_start),
    close: priceAt(oracle, coin, window_start + WINDOW_S),
  }
}

/** A tie is UP. Prices that cannot be compared make the outcome unknown, with a reason. */
export function revealLeaf(
  commit: PendingCommit,
  { prediction, salt }: SealedPrediction,
  { open, close }: Prices,
  atMs: number,
): RevealLeaf {
  const reason = whyUnknown(open, close)
  const outcome = reason || !open || !close ? 'unknown' : close.price >= open.price ? 'UP' : 'DOWN'
  return {
    ...entryOf(commit.coin, commit.window_start),
    kind: 'reveal',
    revealed_at: new Date(atMs).toISOString(),
    salt,
    prediction,
    open: toPublic(open),
    close: toPublic(close),
    outcome,
    hit: outcome === 'unknown' ? null : outcome === prediction.direction,
    reason,
  }
}

function whyUnknown(open: OraclePrice | undefined, close: OraclePrice | undefined): UnknownReason | null {
  if (!open) return 'no_open_price'
  if (!close) return 'no_close_price'
  return open.kind === close.kind ? null : 'price_kinds_differ'
}

/** Only the tick of exactly that second counts: a choice between ticks could decide the outcome. */
function priceAt(oracle: OracleAt, ...[coin, atS]: Parameters<OracleAt>): OraclePrice | undefined {
  const found = oracle(coin, atS)
  const isUsable =
    found && found.price > 0 && Number.isFinite(found.price) && Math.floor(found.atMs / 1000) === atS
  return isUsable ? found : undefined
}

function toPublic(found: OraclePrice | undefined): PublicPrice | null {
  if (!found) return null
  return { price: found.price, price_kind: found.kind, at: new Date(found.atMs).toISOString() }
}
