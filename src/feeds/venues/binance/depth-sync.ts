import type { RawBook } from '../venue-client.ts'
import { createKnownLevels, type Reach } from './known-levels.ts'
import type { DepthChange, DepthSnapshot } from './wire.ts'

/** Changes kept while a snapshot is on its way: 40 s of them, more than the requests for it may take. */
export const MAX_KEPT_CHANGES = 400

/**
 * A book from numbered changes and one snapshot. Rules: developers.binance.com, "How to manage a local order book
 * correctly". Numbers rise by one, so a change either follows the last one, repeats it, or something was lost.
 */
export type DepthSync = {
  /** `kept`: waits for the snapshot. `old`: known already. `gap`: changes before it were lost. */
  change(change: DepthChange): 'kept' | 'old' | 'changed' | 'gap'
  /** From now on changes are kept for the snapshot that was just requested, and applied to the book at hand too. */
  awaitSnapshot(): void
  /** Replaces the book. `older`: changes between it and the first one kept are unknown, a newer one is needed. */
  start(snapshot: DepthSnapshot): 'changed' | 'older'
  read(): RawBook
  reach(): Reach
  readonly isLoaded: boolean
}

export function createDepthSync(): DepthSync {
  const book = createKnownLevels()
  let kept: DepthChange[] = []
  let lastId: number | undefined
  let atMs: number | undefined
  let isAwaiting = false

  const apply = (change: DepthChange) => {
    book.apply(change)
    lastId = change.lastId
    atMs = change.atMs
  }
  /** Keeps only an unbroken run of changes, so that a snapshot which reaches its first one makes the book complete. */
  const keep = (change: DepthChange) => {
    const last = kept.at(-1)
    if (last && change.lastId <= last.lastId) return 'old'
    const follows = last !== undefined && change.firstId <= last.lastId + 1
    if (follows && kept.length < MAX_KEPT_CHANGES) kept.push(change)
    else kept = [change]
    return 'kept'
  }
  return {
    change(change) {
      if (lastId === undefined) return keep(change)
      if (change.lastId <= lastId) return 'old'
      if (change.firstId > lastId + 1) return 'gap'
      if (isAwaiting) keep(change)
      apply(change)
      return 'changed'
    },
    awaitSnapshot() {
      isAwaiting = true
      // Changes that the book at hand has applied are not needed again.
      if (lastId !== undefined) kept = []
    },
    start(snapshot) {
      const firstId = kept[0]?.firstId ?? (lastId ?? snapshot.lastId) + 1
      if (firstId > snapshot.lastId + 1) return 'older'
      book.load(snapshot)
      lastId = snapshot.lastId
      for (const change of kept) if (change.lastId > snapshot.lastId) apply(change)
      kept = []
      isAwaiting = false
      return 'changed'
    },
    get isLoaded() {
      return lastId !== undefined
    },
    read: () => ({ ...book.top(), atMs }),
    reach: book.reach,
  }
}
