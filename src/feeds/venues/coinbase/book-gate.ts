import type { Asset } from '../../../core/asset.ts'
import type { WireRecord } from '../../wire-verdict.ts'
import { findTime } from './wire.ts'

/**
 * Coinbase numbers no change of its book. What can be noticed: a change before the snapshot of this connection, and
 * a change older than the one before it. A lost change shows only when the book crosses, or at the next refresh.
 */
export type CoinbaseBookGate = {
  admit(socket: object, asset: Asset, message: WireRecord): 'pass' | 'early' | 'disorder'
  /** Until its next snapshot, changes of this book are early. */
  forget(asset: Asset): void
}

type Passed = { socket: object; changedMs: number }

export function createCoinbaseBookGate(): CoinbaseBookGate {
  const passed = new Map<Asset, Passed>()
  return {
    admit(socket, asset, message) {
      if (message.type === 'snapshot') {
        passed.set(asset, { socket, changedMs: 0 })
        return 'pass'
      }
      const book = passed.get(asset)
      if (book?.socket !== socket) return 'early'
      // Some real changes carry the year 1: without a usable time there is nothing to compare.
      const atMs = findTime(message.time) ?? 0
      if (atMs <= 0) return 'pass'
      if (atMs < book.changedMs) {
        passed.delete(asset)
        return 'disorder'
      }
      book.changedMs = atMs
      return 'pass'
    },
    forget(asset) {
      passed.delete(asset)
    },
  }
}
