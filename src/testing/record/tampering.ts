import { canonicalJson, type Json } from '../../core/canonical-json.ts'
import { createMerkleTree, hashLeaf } from '../../record/log/merkle-tree.ts'
import { type HeadKey, signHead, toPublicHead } from '../../record/log/signed-head.ts'
import type { Seeded } from '../seeded.ts'
import type { Figures, Head, LeafOfRecord, Page } from './replies.ts'

/** A record as a dishonest server holds it: everything may be changed. Leaves and heads are copied before a change. */
export type Doc = {
  figures: Figures | undefined
  page: Omit<Page, 'entries' | 'heads' | 'totals'> & { totals: Page['totals'] | undefined }
  leaves: LeafOfRecord[]
  heads: Head[]
}

export function toDoc([figures, ...pages]: [Figures, ...Page[]]): Doc {
  const last = pages.at(-1) as Page
  return {
    figures,
    page: { ...last, anchors: pages.flatMap(({ anchors }) => anchors), next: null },
    leaves: pages.flatMap(({ entries }) => entries.map(({ leaf }) => leaf)),
    heads: pages.flatMap(({ heads }) => heads),
  }
}

export const copyOf = (doc: Doc): Doc => ({
  figures: doc.figures && structuredClone(doc.figures),
  page: structuredClone(doc.page),
  leaves: [...doc.leaves],
  heads: doc.heads.map((head) => ({ ...head })),
})

export function toReplies({ figures, page, leaves, heads }: Doc): unknown[] {
  const entries = leaves.map((leaf, index) => ({ index, leaf }))
  return [...(figures ? [figures] : []), { ...page, entries, heads }]
}

export function pick(doc: Doc, random: Seeded, isIt: (leaf: LeafOfRecord) => boolean = () => true): number {
  for (;;) {
    const index = random.below(doc.leaves.length)
    if (isIt(doc.leaves[index] as LeafOfRecord)) return index
  }
}

export function edit(doc: Doc, index: number, change: (leaf: LeafOfRecord) => void): void {
  const leaf = structuredClone(doc.leaves[index]) as LeafOfRecord
  change(leaf)
  doc.leaves[index] = leaf
}

export function remove(doc: Doc, index: number): void {
  doc.leaves.splice(index, 1)
  for (const head of doc.heads) if (head.tree_size > index) head.tree_size--
  if (doc.page.head.tree_size > index) doc.page.head.tree_size--
}

export function insert(doc: Doc, index: number, leaf: LeafOfRecord): void {
  doc.leaves.splice(index, 0, leaf)
  for (const head of doc.heads) if (head.tree_size >= index) head.tree_size++
  doc.page.head.tree_size++
}

/**
 * What somebody with the key can do: sign every head again, and publish no figures that would contradict it. Where keys
 * change, `key` is the last of them and `keyAt` says which signs the tree of a size.
 */
export function resign(doc: Doc, key: HeadKey, keyAt: (treeSize: number) => HeadKey = () => key): void {
  const tree = createMerkleTree()
  for (const leaf of doc.leaves) tree.append(hashLeaf(canonicalJson(leaf as unknown as Json)))
  doc.heads = doc.heads
    .filter(
      ({ tree_size }, n, all) =>
        tree_size > 0 && tree_size <= tree.size && all[n + 1]?.tree_size !== tree_size,
    )
    .map(({ tree_size, timestamp, mode }) => {
      const rootHash = tree.root(tree_size).toString('hex')
      return toPublicHead(
        signHead(keyAt(tree_size), { treeSize: tree_size, rootHash, atMs: Date.parse(timestamp), mode }),
      )
    })
  doc.page = { ...doc.page, key_id: key.id, head: doc.heads.at(-1) as Head, totals: undefined, anchors: [] }
  doc.figures = undefined
}

/** Another value of the same type. */
export function otherValue(value: unknown): unknown {
  if (typeof value === 'number') return value + 0.000001
  if (typeof value === 'boolean') return !value
  if (value === null) return 'no_open_price'
  const text = String(value)
  const last = text.at(-1) ?? ''
  return text.slice(0, -1) + (last === '1' ? '2' : '1')
}
