import { createBoundedCache } from '../../core/bounded-cache.ts'
import type { HintBook } from '../../ledger/ports/hint-book.ts'

/** Transactions that facilitators named for payments whose outcome is unknown. Never believed, only looked at. */
export type SettleHints = {
  note(key: string, transaction: string): void
  find(key: string): string | undefined
  /** Nobody waits for this payment any more: what was noted of it shall survive a restart. */
  keep(key: string): void
  /** What other processes kept; what this one has heard itself stays. */
  load(): Promise<void>
}

/** A forgotten one only makes its search longer. */
const REMEMBERED = 10_000

/** Without a book they end with the process. */
export function createSettleHints(book?: HintBook): SettleHints {
  const hints = createBoundedCache<string, string>({ capacity: REMEMBERED })
  return {
    note: hints.set,
    find: hints.get,
    keep(key) {
      const transaction = hints.get(key)
      if (transaction !== undefined) void book?.keep(key, transaction).catch(() => {})
    },
    async load() {
      for (const [key, transaction] of (await book?.load()) ?? [])
        if (hints.get(key) === undefined) hints.set(key, transaction)
    },
  }
}
