import type { Coin } from '../../../core/coin.ts'
import type { WireRecord } from '../../wire-verdict.ts'
import { findTime } from './wire.ts'

/**
 * Coinbase numbers no change of its book. What can be noticed: a change before the snapshot of this connection, and
 * a change older than the one before it. A lost change shows only when the book crosses, or at the next refresh.
 */
export type CoinbaseBookGate = {
  admit(socket: object, coin: Coin, message: WireRecord): 'pass' | 'early' | 'disorder'
  /** Until its next snapshot, changes of this book are early. */
  forget(coin: Coin): void
}

type Passed = { socket: object; changedMs: number }

export function createCoinbaseBookGate(): CoinbaseBookGate {
  const passed = new Map<Coin, Passed>()
  return {
    admit(socket, coin, message) {
      if (message.type === 'snapshot') {
        passed.set(coin, { socket, changedMs: 0 })
        return 'pass'
      }
      const book = passed.get(coin)
      if (book?.socket !== socket) return 'early'
      // Some real changes carry the year 1: without a usable time there is nothing to compare.
      const atMs = findTime(message.time) ?? 0
      if (atMs <= 0) return 'pass'
      if (atMs < book.changedMs) {
        passed.delete(coin)
        return 'disorder'
      }
      book.changedMs = atMs
      return 'pass'
    },
    forget(coin) {
      passed.delete(coin)
    },
  }
}
