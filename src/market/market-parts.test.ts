import { expect, test } from 'vitest'
import { COINS } from '../core/coin.ts'
import { createManualClock } from '../core/time/manual-clock.ts'
import { VENUES } from '../feeds/events.ts'
import { teeSink } from '../feeds/tee-sink.ts'
import { marketAnswers } from '../testing/relay/market-answers.ts'
import { createMarketNoise } from '../testing/relay/market-noise.ts'
import { createSeeded } from '../testing/seeded.ts'
import { createMarket, type MarketParts } from './market.ts'

function copyParts(from: MarketParts, to: MarketParts) {
  for (const coin of COINS) {
    for (const venue of VENUES) to.restorePair(venue, coin, structuredClone(from.pair(venue, coin)))
    to.restoreCoin(coin, structuredClone(from.coin(coin)))
  }
}

test.each([1, 2, 3, 4, 5])(
  'a market made of the parts of another answers the same, then and later (seed %i)',
  (seed) => {
    const clock = createManualClock(Date.UTC(2026, 0, 5, 12))
    const [original, copy] = [createMarket({ clock }), createMarket({ clock })]
    const seeded = createSeeded(seed)
    const noise = createMarketNoise(seeded, original.sink)
    const both = createMarketNoise(seeded, teeSink(original.sink, copy.sink))
    for (let round = 0; round < 4; round++) {
      for (let n = seeded.below(400); n > 0; n--) {
        clock.advance(seeded.pick([1, 100, 5_000, 70_000]))
        noise(clock.now())
      }
      copyParts(original.parts, copy.parts)
      expect(marketAnswers(copy)).toStrictEqual(marketAnswers(original))
      for (let n = 0; n < 100; n++) {
        clock.advance(seeded.pick([1, 100, 5_000]))
        both(clock.now())
      }
      expect(marketAnswers(copy)).toStrictEqual(marketAnswers(original))
    }
  },
)

test('versions go on rising over what is taken over, so that no reply is taken for an earlier one', () => {
  const clock = createManualClock(Date.UTC(2026, 0, 5, 12))
  const [original, copy] = [createMarket({ clock }), createMarket({ clock })]
  const book = (mid: number) =>
    ({
      venue: 'coinbase',
      coin: 'BTC',
      bids: [[mid - 1, 1]],
      asks: [[mid + 1, 1]],
      atMs: clock.now(),
    }) as const
  copy.sink.book(book(100))
  original.sink.book(book(200))
  const before = [copy.price('BTC')?.version ?? 0, copy.oracle('BTC').version]
  copyParts(original.parts, copy.parts)
  expect(copy.price('BTC')).toMatchObject({ price: 200 })
  expect(copy.price('BTC')?.version).toBeGreaterThan(before[0] ?? 0)
  expect(copy.oracle('BTC').version).toBeGreaterThan(before[1] ?? 0)
})
