import type { PredictionVenue, VenueSide } from '../../../prediction/venue.ts'

/** On which side the last taker of each market was, seen from each of its tokens. */
export type LastSides = { of(tokenId: string): VenueSide | undefined; close(): void }

export function createLastSides(venue: PredictionVenue): LastSides {
  const byToken = new Map<string, VenueSide>()
  const stop = venue.onEvent((event) => {
    if (event.type === 'resolved') for (const tokenId of event.market.tokenIds) byToken.delete(tokenId)
    if (event.type !== 'trade' || event.fill.role !== 'TAKER') return
    const { side, tokenId } = event.fill
    const other = side === 'BUY' ? 'SELL' : 'BUY'
    for (const each of event.market.tokenIds) byToken.set(each, each === tokenId ? side : other)
  })
  return { of: (tokenId) => byToken.get(tokenId), close: stop }
}
