import type { Mode } from '../config/variables/variable.ts'
import { createBoundedCache } from '../core/bounded-cache.ts'
import { type Coin, mapCoins } from '../core/coin.ts'
import { ServiceError } from '../core/service-error.ts'
import type { Clock } from '../core/time/clock.ts'
import type { RecordAnchor, RecordBook, RecordHead } from '../ledger/ports/record-book.ts'
import {
  closeMs,
  entryId,
  type KeyLeaf,
  type Leaf,
  type MissedReason,
  openMs,
  type WindowLeaf,
} from './log/leaf.ts'
import type { RecordLog } from './log/record-log.ts'
import type { PendingCommit } from './log/record-state.ts'
import { type Calibration, calibrate } from './scores/calibration.ts'
import { type Comparison, compare } from './scores/comparison.ts'

export type IndexedLeaf<L = Leaf> = { index: number; leaf: L }
/** Proof, attached to a signal, that a prediction for its window was committed before the window opened. */
export type RecordEntry = {
  recordId: string
  commitment: string
  leafIndex: number
  treeSize: number
  rootHash: string
  proof: readonly string[]
  headAtMs: number
  keyId: string
  mode: Mode | undefined
  headSignature: string
}

export type Latest = {
  head: RecordHead | undefined
  all: Calibration
  perCoin: Readonly<Record<Coin, Calibration>>
  /** The same scores beside those of baselines. */
  compared: { all: Comparison; perCoin: Readonly<Record<Coin, Comparison>> }
  /** The first and the newest window that is entered, by the second it opens; undefined while there is none. */
  windows: { firstS: number; lastS: number } | undefined
}

/** Read access to the record. Throws 503 while it is loaded at start. */
export type RecordReader = {
  keyId: string
  /** The newest head and the figures of exactly its leaves; no head while the record is empty. */
  latest(): Latest
  page(from: number, limit: number): Promise<readonly IndexedLeaf[]>
  heads(above: number, upTo: number): Promise<readonly RecordHead[]>
  anchors(above: number, upTo: number): Promise<readonly RecordAnchor[]>
  newestAnchor(): Promise<RecordAnchor | undefined>
  /** The leaves of one coin and window. */
  find(id: string): Promise<readonly IndexedLeaf<WindowLeaf>[]>
  /** Every change of the key, oldest first. */
  keyChanges(): readonly KeyLeaf[]
  rootHash(treeSize: number): string
  inclusion(index: number, treeSize: number): readonly string[]
  consistency(first: number, second: number): readonly string[]
  /** For a window that was committed in time and whose head is published; only the newest few. */
  entryFor(coin: Coin, windowStartS: number): RecordEntry | undefined
  /** Why `entryFor` has none, in words. */
  whyNoEntry(coin: Coin, windowStartS: number): string
  /** Called by the keeper when commitments and head are durable before the window opens. */
  publish(head: RecordHead, commits: readonly PendingCommit[]): void
  /** Called by the keeper after a start: publishes what an earlier process committed to and is not over yet. */
  recall(): Promise<void>
}

/** The previous, the current and the next window of every coin are asked for. */
const RECENT_ENTRIES = 16

const WHY_MISSED: Readonly<Record<MissedReason, string>> = {
  not_running: 'the service was not running when the window was due to be committed',
  no_prediction: 'there was no prediction when the window was due to be committed',
  bad_prediction: 'the model failed when the window was due to be committed',
  store_unavailable: 'the ledger could not be written when the window was due to be committed',
  late: 'the commitment was not written before the window opened',
}

export function createRecordReader({
  clock,
  book,
  record,
  keyId,
}: {
  clock: Clock
  book: RecordBook
  record: RecordLog
  keyId: string
}): RecordReader {
  const recent = createBoundedCache<string, RecordEntry>({ capacity: RECENT_ENTRIES })
  let kept: Latest | undefined
  const latest = (): Latest => {
    // While it is behind, the tallies may be ahead of the head: the figures from before stay correct.
    if (record.isBehind && kept) return kept
    if (record.isBehind && !record.head)
      throw new ServiceError('upstream_unavailable', 'the record is being read')
    if (!kept || kept.head !== record.head) kept = { head: record.head, ...figuresOf(record.state) }
    return kept
  }
  const size = () => latest().head?.treeSize ?? 0
  const publish: RecordReader['publish'] = (signed, commits) => {
    const { treeSize, rootHash, atMs, mode, signature } = signed
    const head = { treeSize, rootHash, headAtMs: atMs, keyId: signed.keyId, mode, headSignature: signature }
    for (const { id: recordId, commitment, index: leafIndex } of commits) {
      const proof = record.tree.inclusion(leafIndex, treeSize).map(toHex)
      recent.set(recordId, { recordId, commitment, leafIndex, proof, ...head })
    }
  }
  return {
    keyId,
    latest,
    async page(from, limit) {
      const texts = await book.leaves(from, Math.max(0, Math.min(limit, size() - from)))
      return texts.map((text, n) => ({ index: from + n, leaf: JSON.parse(text) as Leaf }))
    },
    heads: (above, upTo) => book.heads(above, Math.min(upTo, size())),
    anchors: (above, upTo) => book.anchors(above, Math.min(upTo, size())),
    newestAnchor: () => book.newestAnchor(),
    async find(id) {
      const rows = (await book.leavesOf(id)).filter(({ index }) => index < size())
      return rows.map(({ index, text }) => ({ index, leaf: JSON.parse(text) as WindowLeaf }))
    },
    keyChanges: () => record.state.keys.changes,
    rootHash: (treeSize) => record.tree.root(treeSize).toString('hex'),
    inclusion: (index, treeSize) => record.tree.inclusion(index, treeSize).map(toHex),
    consistency: (first, second) => record.tree.consistency(first, second).map(toHex),
    entryFor: (coin, windowStartS) => recent.get(entryId(coin, windowStartS)),
    whyNoEntry(coin, windowStartS) {
      if (record.isBehind) return 'the record is being read or written'
      const { missed, pending, lastWindowS } = record.state
      const id = entryId(coin, windowStartS)
      const reason = missed.get(id) ?? (pending.has(id) ? 'late' : undefined)
      if (reason) return WHY_MISSED[reason]
      return lastWindowS !== undefined && lastWindowS < windowStartS
        ? 'the window is not entered yet'
        : 'the window opened before the record began; the next one is committed'
    },
    publish,
    async recall() {
      const { pending } = record.state
      for (const commit of [...pending.values()].filter((each) => closeMs(each) > clock.now())) {
        const [first] = await book.heads(commit.index, size())
        if (first && first.atMs < openMs(commit)) publish(first, [commit])
      }
    },
  }
}

function figuresOf({ tallies, firstWindowS, lastWindowS }: RecordLog['state']) {
  const all = calibrate(tallies.all)
  const perCoin = mapCoins((coin) => calibrate(tallies.perCoin[coin]))
  return {
    all,
    perCoin,
    compared: {
      all: compare(all, tallies.all.sums),
      perCoin: mapCoins((coin) => compare(perCoin[coin], tallies.perCoin[coin].sums)),
    },
    windows:
      firstWindowS === undefined || lastWindowS === undefined
        ? undefined
        : { firstS: firstWindowS, lastS: lastWindowS },
  }
}

const toHex = (hash: Buffer) => hash.toString('hex')
