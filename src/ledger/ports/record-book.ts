/** What the service signs of the public record: how many leaves there were at a time, and what they hash to. */
export type RecordHead = {
  treeSize: number
  rootHash: string
  atMs: number
  keyId: string
  signature: string
}
/** A leaf as it is hashed; `id` says which entry it belongs to. */
export type RecordLeafRow = { id: string; text: string }
/** What opens a commitment. Known to nobody but us until it is revealed. */
export type RecordSecret = { id: string; text: string }
/** Where the root of a tree head was written down out of our reach. */
export type RecordAnchor = { treeSize: number; rootHash: string; network: string; tx: string; atMs: number }

export type RecordAppend = {
  /** Where the first of the leaves goes: the number of leaves so far, or all of it is refused. */
  from: number
  leaves: readonly RecordLeafRow[]
  /** Of the tree with these leaves. */
  head: RecordHead
  /** Kept until they are forgotten; never a part of what is read as leaves. */
  keep: readonly RecordSecret[]
  forget: readonly string[]
}

/** The public record: leaves, heads and anchors are added at the end and never changed or removed. */
export type RecordBook = {
  size(): Promise<number>
  /** All of it or nothing; durable when it resolves. */
  append(entry: RecordAppend): Promise<void>
  /** At most `limit` texts from the leaf `from` on. */
  leaves(from: number, limit: number): Promise<readonly string[]>
  /** Every leaf of one entry, oldest first. */
  leavesOf(id: string): Promise<readonly { index: number; text: string }[]>
  newestHead(): Promise<RecordHead | undefined>
  /** Of more than `above` leaves and at most `upTo`, smallest first. */
  heads(above: number, upTo: number): Promise<readonly RecordHead[]>
  secrets(): Promise<readonly RecordSecret[]>
  addAnchor(anchor: RecordAnchor): Promise<void>
  newestAnchor(): Promise<RecordAnchor | undefined>
  /** Of more than `above` leaves and at most `upTo`, smallest first. */
  anchors(above: number, upTo: number): Promise<readonly RecordAnchor[]>
}
