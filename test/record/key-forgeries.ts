import { canonicalJson, type Json } from '../../src/core/canonical-json.ts'
import { signKeyChange } from '../../src/record/log/key-change.ts'
import { createMerkleTree, hashLeaf } from '../../src/record/log/merkle-tree.ts'
import type { HeadKey } from '../../src/record/log/signed-head.ts'
import { FIRST_KEY, SECOND_KEY, THIRD_KEY } from '../../src/testing/record/change-key.ts'
import { testKey } from '../../src/testing/record/record-world.ts'
import type { LeafOfRecord } from '../../src/testing/record/replies.ts'
import { type Doc, edit, insert, remove, resign } from '../../src/testing/record/tampering.ts'
import type { Seeded } from '../../src/testing/seeded.ts'

const STRANGER = testKey(8)
const KEYS = new Map([FIRST_KEY, SECOND_KEY, THIRD_KEY, STRANGER].map((key) => [key.id, key]))

export const isKey = (leaf: LeafOfRecord) => leaf.kind === 'key'
const placesOf = (doc: Doc): [number, number] => {
  const [first = -1, second = -1] = doc.leaves.flatMap((leaf, index) => (isKey(leaf) ? index : []))
  return [first, second]
}

/**
 * Signs every head with the key that the entries before it name, as whoever holds all keys could. Entries after the
 * forged one are made anew, so that nothing else is wrong.
 */
export function resignByEntries(doc: Doc, forged = doc.leaves.findIndex(isKey)): void {
  doc.leaves.forEach((leaf, index) => {
    if (!isKey(leaf) || index <= forged) return
    const [old, next] = [KEYS.get(String(leaf.old_key_id)), KEYS.get(String(leaf.new_key_id))]
    if (old && next) reenter(doc, index, leaf.reason === 'lost' ? { id: old.id } : old, next)
  })
  const keyAt = (treeSize: number) => {
    const last = doc.leaves.slice(0, treeSize).findLast(isKey)
    return KEYS.get(String(last?.new_key_id ?? FIRST_KEY.id)) ?? STRANGER
  }
  resign(doc, keyAt(doc.leaves.length), keyAt)
  const changes = doc.leaves.filter(isKey)
  doc.page.former_keys = changes.map(({ old_key_id, changed_at, new_key_id, reason }) => ({
    key_id: old_key_id,
    until: changed_at,
    replaced_by: new_key_id,
    reason,
  }))
}

/** The entry at `index` made anew for its place, or for another, rightly signed by the keys that are given. */
function reenter(
  doc: Doc,
  index: number,
  old: { id: string; sign?: HeadKey['sign'] },
  next: HeadKey,
  another: { treeSize?: number; rootHash?: string } = {},
): void {
  const tree = createMerkleTree()
  for (const leaf of doc.leaves.slice(0, index)) tree.append(hashLeaf(canonicalJson(leaf as unknown as Json)))
  const { id, changed_at } = doc.leaves[index] as LeafOfRecord
  const place = { treeSize: index, rootHash: tree.root(index).toString('hex'), ...another }
  const nth = Number(id.replace('key-', ''))
  const made = signKeyChange({ old, next, nth, ...place, atMs: Date.parse(String(changed_at)) })
  doc.leaves[index] = made as unknown as LeafOfRecord
}

const spoil = (name: string) => (leaf: LeafOfRecord) => {
  const text = String(leaf[name])
  leaf[name] = `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`
}

type Forgery = (doc: Doc, random: Seeded) => void

/** Of a record whose key was rotated and then lost. All heads are signed anew, as the entries say, unless said otherwise. */
export const KEY_FORGERIES: Readonly<Record<string, Forgery>> = {
  'a key that is swapped without an entry'(doc, random) {
    const from = random.below(doc.heads.length)
    const swapAt = doc.heads[from]?.tree_size ?? 0
    const keyOf = new Map(doc.heads.map((head) => [head.tree_size, KEYS.get(head.key_id) as HeadKey]))
    const published = doc.page.former_keys
    const isLater = (treeSize: number) => treeSize >= swapAt
    resign(doc, STRANGER, (treeSize) => (isLater(treeSize) ? STRANGER : (keyOf.get(treeSize) as HeadKey)))
    doc.page.former_keys = published
  },
  'an entry that is left out'(doc, random) {
    const keyOf = new Map(doc.heads.map((head) => [head.timestamp, KEYS.get(head.key_id) as HeadKey]))
    const times = new Map(doc.heads.map((head) => [head.tree_size, head.timestamp]))
    const index = placesOf(doc)[random.below(2)] ?? 0
    remove(doc, index)
    const keyAt = (treeSize: number) =>
      keyOf.get(times.get(treeSize >= index + 1 ? treeSize + 1 : treeSize) ?? '') ?? THIRD_KEY
    resign(doc, THIRD_KEY, keyAt)
  },
  'an entry with a spoilt signature of the old key'(doc) {
    edit(doc, placesOf(doc)[0], spoil('old_signature'))
    resignByEntries(doc)
  },
  'an entry with a spoilt signature of the new key'(doc, random) {
    const index = placesOf(doc)[random.below(2)] ?? 0
    edit(doc, index, spoil('new_signature'))
    resignByEntries(doc, index)
  },
  "a stranger's signature for the old key's"(doc) {
    reenter(doc, placesOf(doc)[0], { id: FIRST_KEY.id, sign: STRANGER.sign }, SECOND_KEY)
    resignByEntries(doc)
  },
  'an entry that replaces another key than the one in force'(doc, random) {
    const index = placesOf(doc)[1]
    reenter(doc, index, random.below(2) === 0 ? STRANGER : { id: STRANGER.id }, THIRD_KEY)
    resignByEntries(doc, index)
  },
  'an entry for another key than the one that goes on'(doc) {
    reenter(doc, placesOf(doc)[0], FIRST_KEY, STRANGER)
    const isFirst = (treeSize: number) => treeSize <= placesOf(doc)[0]
    resign(doc, THIRD_KEY, (treeSize) => {
      if (isFirst(treeSize)) return FIRST_KEY
      return treeSize <= placesOf(doc)[1] ? SECOND_KEY : THIRD_KEY
    })
  },
  'a rotation without the signature of the old key': (doc) => {
    edit(doc, placesOf(doc)[0], (leaf) => {
      leaf.old_signature = null
    })
    resignByEntries(doc)
  },
  'a loss with something where the signature of the old key would be'(doc) {
    const index = placesOf(doc)[1]
    edit(doc, index, (leaf) => {
      leaf.old_signature = leaf.new_signature
    })
    resignByEntries(doc, index)
  },
  'an entry of another record'(doc) {
    reenter(doc, placesOf(doc)[0], FIRST_KEY, SECOND_KEY, { rootHash: '0'.repeat(64) })
    resignByEntries(doc)
  },
  'an entry of another place'(doc, random) {
    reenter(doc, placesOf(doc)[0], FIRST_KEY, SECOND_KEY, { treeSize: random.below(placesOf(doc)[0]) })
    resignByEntries(doc)
  },
  'an entry with the number of another'(doc) {
    const index = placesOf(doc)[1]
    edit(doc, index, (leaf) => {
      leaf.id = 'key-3'
    })
    reenter(doc, index, { id: SECOND_KEY.id }, THIRD_KEY)
    resignByEntries(doc, index)
  },
  'the same entry twice'(doc, random) {
    const index = placesOf(doc)[random.below(2)] ?? 0
    insert(doc, index + 1, doc.leaves[index] as LeafOfRecord)
    resignByEntries(doc)
  },
  'a second rotation back to the first key'(doc) {
    reenter(doc, placesOf(doc)[1], SECOND_KEY, FIRST_KEY)
    resignByEntries(doc, placesOf(doc)[1])
  },
  'an entry moved to an earlier place'(doc, random) {
    const [index] = placesOf(doc)
    const leaf = doc.leaves[index] as LeafOfRecord
    remove(doc, index)
    insert(doc, index - 1 - random.below(index - 1), leaf)
    resignByEntries(doc)
  },
  'a head over the entry that the old key signed'(doc, random) {
    const index = placesOf(doc)[random.below(2)] ?? 0
    const old = KEYS.get(String(doc.leaves[index]?.old_key_id)) as HeadKey
    const keyOf = new Map(doc.heads.map((head) => [head.tree_size, KEYS.get(head.key_id) as HeadKey]))
    const published = doc.page.former_keys
    resign(doc, THIRD_KEY, (treeSize) => (treeSize === index + 1 ? old : (keyOf.get(treeSize) as HeadKey)))
    doc.page.former_keys = published
  },
  'a former key that is not published'(doc) {
    doc.page.former_keys = doc.page.former_keys?.slice(1)
  },
}
