import { ASSETS, type Asset } from '../core/asset.ts'
import { PRICE_KINDS, VENUES, type Venue } from '../feeds/events.ts'
import type { Coin } from './coin.ts'
import type { Pair } from './pair.ts'

/** `ageMs` and `asOf` are undefined until the first value. `isGood` is false for a book in doubt. */
export type StreamAge = {
  stream: 'trades' | 'book' | 'oracle_twap_60s' | 'oracle_spot' | 'basis'
  venue: Venue | undefined
  asset: Asset
  asOf: number | undefined
  ageMs: number | undefined
  isGood: boolean
}

export function freshnessOf(
  pairs: Record<Venue, Record<Asset, Pair>>,
  coins: Record<Asset, Coin>,
  nowMs: number,
): readonly StreamAge[] {
  const age = (
    stream: StreamAge['stream'],
    venue: Venue | undefined,
    asset: Asset,
    asOf?: number,
    isGood = asOf !== undefined,
  ): StreamAge => ({
    stream,
    venue,
    asset,
    asOf,
    ageMs: asOf === undefined ? undefined : nowMs - asOf,
    isGood,
  })

  return ASSETS.flatMap((asset) => [
    ...VENUES.flatMap((venue) => {
      const pair = pairs[venue][asset]
      const view = pair.readBook()
      return [
        age('trades', venue, asset, pair.lastTrade?.atMs),
        age('book', venue, asset, view?.asOf, view !== undefined && view.fault === undefined),
      ]
    }),
    ...PRICE_KINDS.map((kind) =>
      age(`oracle_${kind}`, undefined, asset, coins[asset].oracle().last[kind]?.atMs),
    ),
    age('basis', undefined, asset, coins[asset].basis()?.asOf),
  ])
}
