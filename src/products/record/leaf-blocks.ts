import { setImmediate as nextTurn } from 'node:timers/promises'
import { createBoundedCache } from '../../core/bounded-cache.ts'
import { toPublicHead } from '../../record/log/signed-head.ts'
import { Head } from './fields.ts'
import { IndexedLeaf } from './key-change.ts'
import { perRecord } from './per-record.ts'
import type { PublicRecord } from './services.ts'

/** Leaves that are kept together. */
const BLOCK = 250
/** Twenty thousand leaves, about nine days and 11 MB. */
const MAX_BLOCKS = 80

type HeadText = { treeSize: number; text: string }
type Block = { leaves: string[]; heads: HeadText[]; reading: Promise<void> | undefined }
/** Leaves from `first` on, and the heads over them, each as JSON. */
type LeafTexts = { leaves: readonly string[]; heads: readonly string[] }
type LeafBlocks = (first: number, end: number) => Promise<LeafTexts>

/**
 * A leaf under a signed head never changes, nor does a head: each is read, checked and encoded once. A block that is not
 * full is read on from where it ends.
 */
export const leafBlocksOf = perRecord((desk): LeafBlocks => {
  const blocks = createBoundedCache<number, Block>({ capacity: MAX_BLOCKS })
  const blockAt = (number: number): Block => {
    const known = blocks.get(number)
    if (known) return known
    const block: Block = { leaves: [], heads: [], reading: undefined }
    blocks.set(number, block)
    return block
  }
  return async (first, end) => {
    const leaves: string[] = []
    const heads: string[] = []
    for (let number = Math.floor(first / BLOCK); number * BLOCK < end; number++) {
      const block = blockAt(number)
      const startsAt = number * BLOCK
      const upTo = Math.min(end, startsAt + BLOCK)
      while (startsAt + block.leaves.length < upTo) {
        await readOn(desk, block, startsAt, upTo)
        // A few milliseconds of work, then others get their turn.
        await nextTurn()
      }
      leaves.push(...block.leaves.slice(Math.max(0, first - startsAt), upTo - startsAt))
      for (const { treeSize, text } of block.heads) if (treeSize > first && treeSize <= end) heads.push(text)
    }
    return { leaves, heads }
  }
})

/** Who asks for the same block meanwhile waits for the same reading. */
function readOn(desk: PublicRecord, block: Block, startsAt: number, upTo: number): Promise<void> {
  block.reading ??= read(desk, block, startsAt + block.leaves.length, upTo).finally(() => {
    block.reading = undefined
  })
  return block.reading
}

async function read(desk: PublicRecord, block: Block, from: number, upTo: number): Promise<void> {
  const [leaves, heads] = await Promise.all([desk.page(from, upTo - from), desk.heads(from, upTo)])
  if (leaves.length === 0) throw new Error(`the record has no leaf ${from}`)
  const end = from + leaves.length
  const leafTexts = leaves.map((leaf) => JSON.stringify(IndexedLeaf.parse(leaf)))
  const headTexts = heads
    .filter(({ treeSize }) => treeSize <= end)
    .map((head) => ({ treeSize: head.treeSize, text: JSON.stringify(Head.parse(toPublicHead(head))) }))
  block.leaves.push(...leafTexts)
  block.heads.push(...headTexts)
}
