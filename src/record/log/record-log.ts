import { canonicalJson } from '../../core/canonical-json.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { RecordBook, RecordHead, RecordSecret } from '../../ledger/ports/record-book.ts'
import { createTallies, type Tallies } from '../scores/tally.ts'
import { type CommitLeaf, type Leaf, leafTimeMs } from './leaf.ts'
import { createMerkleTree, hashLeaf, type MerkleTree } from './merkle-tree.ts'
import { type HeadKey, signHead } from './signed-head.ts'

/** A commitment that is not revealed yet, and its leaf index. */
export type PendingCommit = CommitLeaf & { index: number }
type Secrets = { keep?: readonly RecordSecret[]; forget?: readonly string[] }

/** The record in memory. All of it is computed from the leaves, which are read once at start and then appended to. */
export type RecordLog = {
  /** True until the book has been read, and again after a write whose outcome is unknown. */
  readonly isBehind: boolean
  readonly head: RecordHead | undefined
  /** Of the last leaf; no later leaf is older. */
  readonly lastAtMs: number
  /** The newest window with an entry; undefined while the record is empty. */
  readonly lastWindowS: number | undefined
  readonly pending: ReadonlyMap<string, PendingCommit>
  readonly secrets: ReadonlyMap<string, string>
  readonly tallies: Tallies
  readonly tree: Pick<MerkleTree, 'root' | 'inclusion' | 'consistency'>
  catchUp(): Promise<void>
  /** Adds leaves and a signed head over them; durable when it resolves. */
  append(leaves: readonly Leaf[], atMs: number, secrets?: Secrets): Promise<RecordHead>
}

/** Leaves read at a time: a few milliseconds of work, then other tasks get their turn. */
const PAGE = 1_000

export function createRecordLog({ book, key }: { book: RecordBook; key: HeadKey }): RecordLog {
  const tree = createMerkleTree()
  const pending = new Map<string, PendingCommit>()
  const secrets = new Map<string, string>()
  const tallies = createTallies((id) => pending.has(id))
  let isBehind = true
  let head: RecordHead | undefined
  let lastAtMs = 0
  let lastWindowS: number | undefined

  /** Updates everything but the tree, whose root must be known before the leaf is written. */
  const fold = (leaf: Leaf, index: number) => {
    tallies.apply(leaf)
    lastAtMs = leafTimeMs(leaf)
    if (leaf.kind === 'commit') pending.set(leaf.id, { ...leaf, index })
    else pending.delete(leaf.id)
    if (leaf.kind !== 'reveal') lastWindowS = Math.max(lastWindowS ?? 0, leaf.window_start)
  }
  return {
    get isBehind() {
      return isBehind
    },
    get head() {
      return head
    },
    get lastAtMs() {
      return lastAtMs
    },
    get lastWindowS() {
      return lastWindowS
    },
    pending,
    secrets,
    tallies,
    tree,
    async catchUp() {
      for (let texts = await book.leaves(tree.size, PAGE); texts.length > 0; ) {
        for (const text of texts) {
          fold(JSON.parse(text), tree.size)
          tree.append(hashLeaf(text))
        }
        await nextTurn()
        texts = await book.leaves(tree.size, PAGE)
      }
      head = checkHead(await book.newestHead(), tree, key)
      secrets.clear()
      for (const { id, text } of await book.secrets()) secrets.set(id, text)
      isBehind = false
    },
    async append(leaves, atMs, { keep = [], forget = [] } = {}) {
      if (isBehind) throw new Error('the record must be read before it is appended to')
      const from = tree.size
      const rows = leaves.map((leaf) => ({ id: leaf.id, text: canonicalJson(leaf) }))
      for (const { text } of rows) tree.append(hashLeaf(text))
      const signed = signHead(key, {
        treeSize: tree.size,
        rootHash: tree.root(tree.size).toString('hex'),
        atMs,
      })
      isBehind = true
      try {
        await book.append({ from, leaves: rows, head: signed, keep, forget })
      } catch (error) {
        tree.truncate(from)
        throw error
      }
      leaves.forEach((leaf, n) => void fold(leaf, from + n))
      for (const id of forget) secrets.delete(id)
      for (const { id, text } of keep) secrets.set(id, text)
      head = signed
      isBehind = false
      return signed
    },
  }
}

/** Leaf times never decrease, whatever the system's clock does. */
export function stampMs(clock: Clock, { lastAtMs }: RecordLog): number {
  return Math.max(Math.floor(clock.now()), lastAtMs)
}

/** Throws where the ledger differs from what was signed: appending to it would sign a changed history. */
function checkHead(head: RecordHead | undefined, tree: MerkleTree, key: HeadKey): RecordHead | undefined {
  if (head === undefined && tree.size === 0) return undefined
  const root = tree.root(tree.size).toString('hex')
  if (head?.treeSize !== tree.size || head.rootHash !== root)
    throw new Error(
      'the record in the ledger is not the one that was signed: restore the ledger from a backup',
    )
  if (head.keyId !== key.id)
    throw new Error(`the record was signed with ${head.keyId}: restore that service key`)
  return head
}

const nextTurn = () => new Promise<void>((done) => setImmediate(done))
