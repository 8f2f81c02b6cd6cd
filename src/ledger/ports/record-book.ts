import type { Mode } from '../../config/variables/variable.ts'

/** A signed tree head: how many leaves the record had at a time, and their root hash. */
export type RecordHead = {
  treeSize: number
  rootHash: string
  atMs: number
  keyId: string
  /** Undefined for heads of earlier releases, which did not state it. */
  mode: Mode | undefined
  signature: string
}
/** A leaf as it is hashed; `id` says which entry it belongs to. */
export type RecordLeafRow = { id: string; text: string }
/** What opens a commitment; private until it is revealed. */
export type RecordSecret = { id: string; text: string }
/** Where a root was published so that we cannot change it. */
export type RecordAnchor = { treeSize: number; rootHash: string; network: string; tx: string; atMs: number }

export type RecordAppend = {
  /** Index of the first leaf. It must be the present number of leaves, else nothing is appended. */
  from: number
  leaves: readonly RecordLeafRow[]
  /** Of the tree including these leaves. */
  head: RecordHead
  /** Secrets to keep until they are forgotten; never returned as leaves. */
  keep: readonly RecordSecret[]
  forget: readonly string[]
}

/** The public record: leaves, heads and anchors are added at the end and never changed or removed. */
export type RecordBook = {
  size(): Promise<number>
  /** Atomic, and durable when it resolves. */
  append(entry: RecordAppend): Promise<void>
  /** At most `limit` texts from the leaf `from` on. */
  leaves(from: number, limit: number): Promise<readonly string[]>
  /** Every leaf of one entry, oldest first. */
  leavesOf(id: string): Promise<readonly { index: number; text: string }[]>
  newestHead(): Promise<RecordHead | undefined>
  /** Heads of more than `above` and at most `upTo` leaves, smallest first. */
  heads(above: number, upTo: number): Promise<readonly RecordHead[]>
  secrets(): Promise<readonly RecordSecret[]>
  addAnchor(anchor: RecordAnchor): Promise<void>
  newestAnchor(): Promise<RecordAnchor | undefined>
  /** Anchors of more than `above` and at most `upTo` leaves, smallest first. */
  anchors(above: number, upTo: number): Promise<readonly RecordAnchor[]>
}
