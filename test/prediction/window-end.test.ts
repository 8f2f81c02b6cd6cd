import { expect, test } from 'vitest'
import { COINS } from '../../src/core/coin.ts'
import { SECOND_MS } from '../../src/core/time/time.ts'
import { slugOf } from '../../src/upstreams/polymarket/five-minute-market.ts'
import { openPredictionWorld } from './feed-world.ts'

const WINDOW_START_S = Date.UTC(2026, 0, 5, 12) / 1000
const END_MS = (WINDOW_START_S + 300) * 1000

test('that the venue takes no more orders is known within a second, and never is a window open after its end', async () => {
  await using world = await openPredictionWorld({ startMs: END_MS - 45 * SECOND_MS })
  const { clock, open, venue } = world
  const stops = (coin: (typeof COINS)[number]) =>
    venue.findBySlug(slugOf(coin, WINDOW_START_S))?.acceptingOrders === false
  const lateMs = new Map(COINS.map((coin) => [coin, 0]))
  const watch = () => {
    for (const coin of COINS) {
      const market = open.fiveMinute.market(coin, WINDOW_START_S)
      if (stops(coin) && market?.acceptingOrders !== false)
        lateMs.set(coin, (lateMs.get(coin) ?? 0) + SECOND_MS)
      if (clock.now() >= END_MS) expect(market?.acceptingOrders).toBe(false)
      const shown = open.fiveMinute.open(coin)
      expect(clock.now() - (shown?.marketAsOfMs ?? clock.now())).toBeLessThanOrEqual(30 * SECOND_MS)
    }
  }
  await world.pass(25 * SECOND_MS, watch)
  expect(COINS.map(stops)).toEqual(COINS.map(() => false))
  await world.pass(19 * SECOND_MS, watch)
  expect(COINS.map(stops)).toEqual(COINS.map(() => true))
  await world.pass(3 * SECOND_MS, watch)
  expect(Math.max(...lateMs.values())).toBeLessThanOrEqual(SECOND_MS)
})
