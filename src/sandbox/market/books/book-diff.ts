import type { SimLevel } from '../sim-events.ts'

/**
 * The changes from `before` to `after`: changed and new levels with their new size, removed ones with size 0.
 * Both are sorted best first; `away` is the direction of worse prices, -1 for bids and 1 for asks.
 */
export function diffSide(
  before: readonly SimLevel[],
  after: readonly SimLevel[],
  away: 1 | -1,
): readonly SimLevel[] {
  const changes: SimLevel[] = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    const old = before[i]
    const now = after[j]
    const order = old && now ? (old[0] - now[0]) * away : old ? -1 : 1
    if (order === 0) {
      if (now && old && now[1] !== old[1]) changes.push(now)
      i++
      j++
    } else if (order < 0) {
      if (old) changes.push([old[0], 0])
      i++
    } else {
      if (now) changes.push(now)
      j++
    }
  }
  return changes
}
