import { COINS, type Coin } from '../core/coin.ts'
import { PRICE_KINDS, VENUES, type Venue } from '../feeds/events.ts'
import type { CoinView } from './coin-view.ts'
import type { Pair } from './pair.ts'

/** `ageMs` and `asOfMs` are undefined until the first value. `isGood` is false for a book in doubt. */
export type StreamAge = {
  stream: 'trades' | 'book' | 'oracle_twap_60s' | 'oracle_spot' | 'basis'
  venue: Venue | undefined
  coin: Coin
  asOfMs: number | undefined
  ageMs: number | undefined
  isGood: boolean
}

export function freshnessOf(
  pairs: Record<Venue, Record<Coin, Pair>>,
  coins: Record<Coin, CoinView>,
  nowMs: number,
): readonly StreamAge[] {
  const age = (
    stream: StreamAge['stream'],
    venue: Venue | undefined,
    coin: Coin,
    asOfMs?: number,
    isGood = asOfMs !== undefined,
  ): StreamAge => ({
    stream,
    venue,
    coin,
    asOfMs,
    ageMs: asOfMs === undefined ? undefined : nowMs - asOfMs,
    isGood,
  })

  return COINS.flatMap((coin) => [
    ...VENUES.flatMap((venue) => {
      const pair = pairs[venue][coin]
      const view = pair.readBook()
      return [
        age('trades', venue, coin, pair.lastTrade?.atMs),
        age('book', venue, coin, view?.asOfMs, view !== undefined && view.fault === undefined),
      ]
    }),
    ...PRICE_KINDS.map((kind) =>
      age(`oracle_${kind}`, undefined, coin, coins[coin].oracle().last[kind]?.atMs),
    ),
    age('basis', undefined, coin, coins[coin].basis()?.asOfMs),
  ])
}
