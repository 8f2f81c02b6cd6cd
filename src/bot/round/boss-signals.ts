import type { Coin } from '../../core/coin.ts'
import type { BossSignalRow, BotBook } from '../../ledger/ports/bot-book.ts'

/**
 * Boss signals of the windows that are open, read once and again after a new one. Each is for one window: the first order
 * uses it, and later attempts of the same window keep its direction.
 */
export type BossSignals = {
  /** Used already or not; undefined where there is none. */
  find(coin: Coin, windowStartS: number): Promise<BossSignalRow | undefined>
  add(row: Omit<BossSignalRow, 'seq' | 'usedMs'>): Promise<BossSignalRow>
  used(row: BossSignalRow): void
}

export function createBossSignals(book: Pick<BotBook, 'addBossSignal' | 'findBossSignal'>): BossSignals {
  // One for each coin.
  const known = new Map<Coin, { windowStartS: number; row: BossSignalRow | undefined }>()
  return {
    async find(coin, windowStartS) {
      let last = known.get(coin)
      if (last?.windowStartS !== windowStartS) {
        last = { windowStartS, row: await book.findBossSignal(coin, windowStartS) }
        known.set(coin, last)
      }
      return last.row
    },
    async add(row) {
      const added = await book.addBossSignal(row)
      known.delete(row.coin)
      return added
    },
    used: ({ coin }) => void known.delete(coin),
  }
}
