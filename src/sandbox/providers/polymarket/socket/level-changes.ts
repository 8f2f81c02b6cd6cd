import type { LevelChange, VenueBook, VenueLevel, VenueSide } from '../../../prediction/venue.ts'

/** What turns `before` into `after`, level by level: bids first, best first. */
export function levelChanges(before: VenueBook, after: VenueBook): readonly LevelChange[] {
  return [...sideChanges('BUY', before.bids, after.bids), ...sideChanges('SELL', before.asks, after.asks)]
}

function sideChanges(
  side: VenueSide,
  before: readonly VenueLevel[],
  after: readonly VenueLevel[],
): readonly LevelChange[] {
  const left = new Map<number, number>(before)
  const changes: LevelChange[] = []
  for (const [priceE4, sharesE6] of after) {
    if (left.get(priceE4) !== sharesE6) changes.push({ side, priceE4, sharesE6 })
    left.delete(priceE4)
  }
  for (const priceE4 of left.keys()) changes.push({ side, priceE4, sharesE6: 0 })
  return changes
}
