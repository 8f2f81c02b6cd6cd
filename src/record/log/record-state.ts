import { type BoundedCache, createBoundedCache } from '../../core/bounded-cache.ts'
import { createTallies, type Tallies } from '../scores/tally.ts'
import { createKeyChain, type KeyChain } from './key-change.ts'
import { type CommitLeaf, type Leaf, leafTimeMs, type MissedReason } from './leaf.ts'

/** A commitment that is not revealed yet, and its leaf index. */
export type PendingCommit = CommitLeaf & { index: number }

/** What the leaves amount to. */
export type RecordState = {
  /** Of the last leaf; no later leaf is older. */
  readonly lastAtMs: number
  /** The first and the newest window with an entry; undefined while there is none. */
  readonly firstWindowS: number | undefined
  readonly lastWindowS: number | undefined
  readonly pending: ReadonlyMap<string, PendingCommit>
  /** Why the newest missed windows were missed, by the id of their entry. */
  readonly missed: Pick<BoundedCache<string, MissedReason>, 'get'>
  readonly tallies: Tallies
  readonly keys: KeyChain
  fold(leaf: Leaf, index: number): void
}

/** The previous and the current window of every coin are asked for. */
const MISSED_KEPT = 16

export function createRecordState(): RecordState {
  const pending = new Map<string, PendingCommit>()
  const missed = createBoundedCache<string, MissedReason>({ capacity: MISSED_KEPT })
  const tallies = createTallies((id) => pending.has(id))
  const keys = createKeyChain()
  let lastAtMs = 0
  let firstWindowS: number | undefined
  let lastWindowS: number | undefined
  return {
    get lastAtMs() {
      return lastAtMs
    },
    get firstWindowS() {
      return firstWindowS
    },
    get lastWindowS() {
      return lastWindowS
    },
    pending,
    missed,
    tallies,
    keys,
    fold(leaf, index) {
      lastAtMs = leafTimeMs(leaf)
      if (leaf.kind === 'key') return keys.follow(leaf)
      tallies.apply(leaf)
      if (leaf.kind === 'commit') pending.set(leaf.id, { ...leaf, index })
      else pending.delete(leaf.id)
      if (leaf.kind === 'missed') missed.set(leaf.id, leaf.reason)
      firstWindowS ??= leaf.window_start
      if (leaf.kind !== 'reveal') lastWindowS = Math.max(lastWindowS ?? 0, leaf.window_start)
    },
  }
}
