import { createBoundedCache } from '../core/bounded-cache.ts'
import { type Coin, mapCoins } from '../core/coin.ts'
import { ServiceError } from '../core/service-error.ts'
import type { RecordAnchor, RecordBook, RecordHead } from '../ledger/ports/record-book.ts'
import { entryId, type Leaf } from './log/leaf.ts'
import type { RecordLog } from './log/record-log.ts'
import { type Calibration, calibrate } from './scores/calibration.ts'

export type IndexedLeaf = { index: number; leaf: Leaf }
/** Proof, attached to a signal, that its prediction was committed before the window opened. */
export type RecordEntry = {
  recordId: string
  commitment: string
  leafIndex: number
  treeSize: number
  rootHash: string
  proof: readonly string[]
  headAtMs: number
  keyId: string
  headSignature: string
}

export type Latest = {
  head: RecordHead | undefined
  all: Calibration
  perCoin: Readonly<Record<Coin, Calibration>>
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
  find(id: string): Promise<readonly IndexedLeaf[]>
  rootHash(treeSize: number): string
  inclusion(index: number, treeSize: number): readonly string[]
  consistency(first: number, second: number): readonly string[]
  /** For a window that was committed in time and whose head is published; only the newest few. */
  entryFor(coin: Coin, windowStartS: number): RecordEntry | undefined
  /** Called by the keeper when leaves and head are durable before the window opens. */
  publish(head: RecordHead, leaves: readonly Leaf[]): void
}

/** The previous, the current and the next window of every coin are asked for. */
const RECENT_ENTRIES = 16

export function createRecordReader({
  book,
  record,
  keyId,
}: {
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
    if (!kept || kept.head !== record.head) kept = { head: record.head, ...calibrateAll(record.tallies) }
    return kept
  }
  const size = () => latest().head?.treeSize ?? 0
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
      return rows.map(({ index, text }) => ({ index, leaf: JSON.parse(text) as Leaf }))
    },
    rootHash: (treeSize) => record.tree.root(treeSize).toString('hex'),
    inclusion: (index, treeSize) => record.tree.inclusion(index, treeSize).map(toHex),
    consistency: (first, second) => record.tree.consistency(first, second).map(toHex),
    entryFor: (coin, windowStartS) => recent.get(entryId(coin, windowStartS)),
    publish({ treeSize, rootHash, atMs, signature }, leaves) {
      leaves.forEach((leaf, n) => {
        if (leaf.kind !== 'commit') return
        const leafIndex = treeSize - leaves.length + n
        const proof = record.tree.inclusion(leafIndex, treeSize).map(toHex)
        const { id: recordId, commitment } = leaf
        const head = { treeSize, rootHash, headAtMs: atMs, keyId, headSignature: signature }
        recent.set(recordId, { recordId, commitment, leafIndex, proof, ...head })
      })
    },
  }
}

function calibrateAll({ all, perCoin }: RecordLog['tallies']) {
  return { all: calibrate(all), perCoin: mapCoins((coin) => calibrate(perCoin[coin])) }
}

const toHex = (hash: Buffer) => hash.toString('hex')
