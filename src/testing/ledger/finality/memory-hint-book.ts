import type { HintBook } from '../../../ledger/ports/hint-book.ts'
import type { MemoryRows } from '../memory-payment-rows.ts'

/** `hints` would be on disk. */
export function createMemoryHintBook(hints: Map<string, string>, rows: MemoryRows): HintBook {
  const isOpen = (key: string) => rows.get(key)?.state === 'settling'
  return {
    async keep(key, transaction) {
      if (isOpen(key)) hints.set(key, transaction)
    },
    async load() {
      for (const key of hints.keys()) if (!isOpen(key)) hints.delete(key)
      return new Map(hints)
    },
  }
}
