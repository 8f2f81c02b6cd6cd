import { z } from 'zod'
import { COINS } from '../../core/coin.ts'
import type { WindowLeaf } from '../../record/log/leaf.ts'
import { toPublicHead } from '../../record/log/signed-head.ts'
import type { IndexedLeaf } from '../../record/record-reader.ts'
import { Count, Hash, Head } from './fields.ts'
import type { PublicRecord } from './services.ts'

const Path = z.array(Hash).describe('Hashes beside the way from the leaf to the root')

export const LeafProof = z.object({
  kind: z.enum(['commit', 'reveal', 'missed']),
  leaf_index: Count,
  path: Path,
})

export function toLeafProofs(
  desk: PublicRecord,
  leaves: readonly IndexedLeaf<WindowLeaf>[],
  treeSize: number,
): z.input<typeof LeafProof>[] {
  return leaves.map(({ index, leaf: { kind } }) => ({
    kind,
    leaf_index: index,
    path: [...desk.inclusion(index, treeSize)],
  }))
}

/** What shows when a prediction was fixed: the head that was signed over its commitment at once. */
export const FirstHead = z.object({ head: Head, path: Path })

/** Null for a window without a commitment. */
export async function findFirstHead(
  desk: PublicRecord,
  leaves: readonly IndexedLeaf<WindowLeaf>[],
): Promise<z.input<typeof FirstHead> | null> {
  const commit = leaves.find(({ leaf: { kind } }) => kind === 'commit')
  // The coins of a window are entered together, and a head is signed over them.
  const [head] = commit ? await desk.heads(commit.index, commit.index + COINS.length) : []
  if (!commit || !head) return null
  return { head: toPublicHead(head), path: [...desk.inclusion(commit.index, head.treeSize)] }
}
