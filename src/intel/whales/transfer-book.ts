import { DAY_MS, HOUR_MS } from '../../core/time/time.ts'
import type { LargeTransfer } from './transfer.ts'

/** The large transfers of the last day on one chain. */
export type TransferBook = {
  /** A transfer that is there already is replaced where it has been confirmed since. */
  add(transfer: LargeTransfer): void
  /** Newest first. */
  list(nowMs: number): readonly LargeTransfer[]
}

/** Far more than a usual day has; the oldest are dropped first. */
const CAPACITY = 2_000
/** A transaction that waits longer is mostly replaced by another one. */
const PENDING_MS = HOUR_MS

export function createTransferBook(): TransferBook {
  const held = new Map<string, LargeTransfer>()
  const keyOf = ({ hash, token }: LargeTransfer) => `${token}/${hash}`
  return {
    add(transfer) {
      const key = keyOf(transfer)
      const known = held.get(key)
      if (known?.isConfirmed && !transfer.isConfirmed) return
      held.delete(key)
      held.set(key, transfer)
      if (held.size > CAPACITY) held.delete(oldestKey(held))
    },
    list(nowMs) {
      for (const [key, { atMs, isConfirmed }] of held)
        if (atMs < nowMs - (isConfirmed ? DAY_MS : PENDING_MS)) held.delete(key)
      return [...held.values()].sort((a, b) => b.atMs - a.atMs)
    },
  }
}

/** Blocks may be read in any order, so the oldest is not the one that was added first. */
function oldestKey(held: ReadonlyMap<string, LargeTransfer>): string {
  let [oldest, oldestMs] = ['', Number.POSITIVE_INFINITY]
  for (const [key, { atMs }] of held) if (atMs < oldestMs) [oldest, oldestMs] = [key, atMs]
  return oldest
}
