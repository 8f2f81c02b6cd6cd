import type { Activity } from '../../../upstreams/polymarket/account-activity.ts'

/**
 * The rows of reads that overlap, each as often as it is. Equal rows of one read are fills of their own, so a row
 * counts as often as in the read that has it most often.
 */
export function mergeReads(reads: readonly (readonly Activity[])[]): readonly Activity[] {
  const [only, ...others] = reads
  if (only && others.length === 0) return only
  const merged = new Map<string, Activity[]>()
  // Of equally many the later ones: the venue completes titles and outcomes after a while.
  for (const read of reads)
    for (const [key, rows] of Map.groupBy(read, keyOf))
      if (rows.length >= (merged.get(key)?.length ?? 0)) merged.set(key, rows)
  return [...merged.values()].flat()
}

/** What moved, without the names that the venue gives it. */
function keyOf(row: Activity): string {
  const { kind, wallet, conditionId, tokenId, side, shares, usd, transactionHash, atMs } = row
  const hashes = [wallet, conditionId, transactionHash].map((hash) => hash.toLowerCase())
  return JSON.stringify([kind, hashes, tokenId, side, shares, usd, atMs])
}
