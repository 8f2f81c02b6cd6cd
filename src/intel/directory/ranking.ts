import type { Listing } from './listing.ts'
import type { SearchIndex } from './search-index.ts'

/** Of each host the listing with the highest score, and how many match. */
export function foldHosts({ groups, groupSizes, listings }: SearchIndex, scores: Float64Array) {
  const best = new Int32Array(groupSizes.length).fill(-1)
  const counts = new Uint32Array(groupSizes.length)
  for (let at = 0; at < scores.length; at++) {
    if ((scores[at] ?? -1) < 0) continue
    const group = groups[at] ?? 0
    counts[group] = (counts[group] ?? 0) + 1
    const rival = best[group] ?? -1
    if (rival < 0 || isBefore(listings, scores, at, rival)) best[group] = at
  }
  return { best, counts }
}

/** The first `limit` without sorting the others. */
export function takeBest(
  { listings }: SearchIndex,
  scores: Float64Array,
  best: Int32Array,
  limit: number,
): number[] {
  const taken: number[] = []
  for (const at of best) {
    if (at < 0) continue
    const last = taken[limit - 1]
    if (last !== undefined && !isBefore(listings, scores, at, last)) continue
    let place = taken.length
    while (place > 0 && isBefore(listings, scores, at, taken[place - 1] ?? at)) place--
    taken.splice(place, 0, at)
    if (taken.length > limit) taken.pop()
  }
  return taken
}

/** The higher score; of equals the one that more pay for, then by name and address. */
function isBefore(listings: readonly Listing[], scores: Float64Array, a: number, b: number): boolean {
  const difference = (scores[a] ?? 0) - (scores[b] ?? 0)
  if (difference !== 0) return difference > 0
  const left = listings[a]
  const right = listings[b]
  if (!left || !right) return a < b
  const payers = (left.payers30d ?? 0) - (right.payers30d ?? 0)
  if (payers !== 0) return payers > 0
  if (left.name !== right.name) return left.name < right.name
  return left.url !== right.url ? left.url < right.url : a < b
}
