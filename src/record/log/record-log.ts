import type { Mode } from '../../config/variables/variable.ts'
import { canonicalJson } from '../../core/canonical-json.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { RecordBook, RecordHead, RecordSecret } from '../../ledger/ports/record-book.ts'
import { type OldKey, signKeyChange } from './key-change.ts'
import type { KeyLeaf, Leaf } from './leaf.ts'
import { createMerkleTree, hashLeaf, type MerkleTree } from './merkle-tree.ts'
import { createRecordState, type RecordState } from './record-state.ts'
import { type HeadKey, signHead } from './signed-head.ts'

type Secrets = { keep?: readonly RecordSecret[]; forget?: readonly string[] }

/** The record in memory. All of it is computed from the leaves, which are read once at start and then appended to. */
export type RecordLog = {
  /** True until the book has been read, and again after a write whose outcome is unknown. */
  readonly isBehind: boolean
  readonly head: RecordHead | undefined
  readonly state: Omit<RecordState, 'fold'>
  readonly secrets: ReadonlyMap<string, string>
  readonly tree: Pick<MerkleTree, 'root' | 'inclusion' | 'consistency'>
  catchUp(): Promise<void>
  /** For a process that only reads: takes what another one has appended, up to the newest head. */
  follow(): Promise<void>
  /** Adds leaves and a signed head over them; durable when it resolves. */
  append(leaves: readonly Leaf[], atMs: number, secrets?: Secrets): Promise<RecordHead>
  /** Enters that another key signs from now on, under a head that it signs. */
  changeKey(next: HeadKey, atMs: number): Promise<KeyLeaf>
}

/** Leaves read at a time: a few milliseconds of work, then other tasks get their turn. */
const PAGE = 1_000

type Ports = { book: RecordBook; mode: Mode; key: OldKey }

export function createRecordLog({ book, key, mode }: Ports): RecordLog {
  const tree = createMerkleTree()
  const secrets = new Map<string, string>()
  const state = createRecordState()
  let signer = key
  let isBehind = true
  let head: RecordHead | undefined

  const append: RecordLog['append'] = async (leaves, atMs, { keep = [], forget = [] } = {}) => {
    if (isBehind) throw new Error('the record must be read before it is appended to')
    const from = tree.size
    const rows = leaves.map((leaf) => ({ id: leaf.id, text: canonicalJson(leaf) }))
    for (const { text } of rows) tree.append(hashLeaf(text))
    const signed = signHead(ableToSign(signer), { treeSize: tree.size, rootHash: rootOf(tree), atMs, mode })
    isBehind = true
    try {
      await book.append({ from, leaves: rows, head: signed, keep, forget })
    } catch (error) {
      tree.truncate(from)
      throw error
    }
    // The tree has these leaves already: its root had to be known before they were written.
    leaves.forEach((leaf, n) => void state.fold(leaf, from + n))
    for (const id of forget) secrets.delete(id)
    for (const { id, text } of keep) secrets.set(id, text)
    head = signed
    isBehind = false
    return signed
  }
  return {
    get isBehind() {
      return isBehind
    },
    get head() {
      return head
    },
    state,
    secrets,
    tree,
    async catchUp() {
      while (await readPage(book, tree, state, mode)) await nextTurn()
      head = checkHead(await book.newestHead(), tree, signer)
      secrets.clear()
      for (const { id, text } of await book.secrets()) secrets.set(id, text)
      isBehind = false
    },
    async follow() {
      const newest = await book.newestHead()
      if (newest?.treeSize === head?.treeSize && (newest === undefined || !isBehind)) {
        isBehind = false
        return
      }
      isBehind = true
      const upTo = newest?.treeSize ?? 0
      while (await readPage(book, tree, state, mode, upTo)) await nextTurn()
      head = checkTree(newest, tree)
      isBehind = false
    },
    append,
    async changeKey(next, atMs) {
      const nth = state.keys.changes.length + 1
      const at = { treeSize: tree.size, rootHash: rootOf(tree), atMs }
      const leaf = signKeyChange({ old: signer, next, nth, ...at })
      signer = next
      await append([leaf], atMs)
      return leaf
    },
  }
}

/** Reads on from where the tree ends; resolves to false at the end of the book. */
async function readPage(
  book: RecordBook,
  tree: MerkleTree,
  state: RecordState,
  mode: Mode,
  upTo = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const texts = await book.leaves(tree.size, Math.max(0, Math.min(PAGE, upTo - tree.size)))
  const heads = await book.heads(tree.size, tree.size + texts.length)
  const headOf = new Map(heads.map((each) => [each.treeSize, each]))
  for (const text of texts) {
    state.fold(JSON.parse(text), tree.size)
    tree.append(hashLeaf(text))
    const head = headOf.get(tree.size)
    if (!head) continue
    checkMode(head, mode)
    state.keys.check(head)
  }
  return texts.length > 0
}

const rootOf = (tree: MerkleTree) => tree.root(tree.size).toString('hex')

/** Leaf times never decrease, whatever the system's clock does. */
export function stampMs(clock: Clock, { state }: RecordLog): number {
  return Math.max(Math.floor(clock.now()), state.lastAtMs)
}

/** Throws where the ledger differs from what was signed: appending to it would sign a changed history. */
function checkTree(head: RecordHead | undefined, tree: MerkleTree): RecordHead | undefined {
  if (head === undefined && tree.size === 0) return undefined
  if (head?.treeSize !== tree.size || head.rootHash !== rootOf(tree))
    throw new Error(
      'the record in the ledger is not the one that was signed: restore the ledger from a backup',
    )
  return head
}

function checkHead(head: RecordHead | undefined, tree: MerkleTree, key: OldKey): RecordHead | undefined {
  const checked = checkTree(head, tree)
  if (checked && checked.keyId !== key.id)
    throw new Error(`the record was signed with ${checked.keyId}, not with the service key ${key.id}`)
  return checked
}

/** Simulated windows must never stand in a record of real ones. Heads of earlier releases state no mode. */
function checkMode(head: RecordHead, mode: Mode): void {
  if (head.mode === undefined || head.mode === mode) return
  throw new Error(
    `the record in the ledger is of the mode ${head.mode}, and this start is ${mode}: name another directory in TOLLBOOK_DATA_DIR, or start with TOLLBOOK_MODE=${head.mode}`,
  )
}

function ableToSign({ id, sign }: OldKey): HeadKey {
  if (!sign) throw new Error(`the key ${id} is lost: nothing can be signed with it`)
  return { id, sign }
}

const nextTurn = () => new Promise<void>((done) => setImmediate(done))
