import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import type { OracleTick, Trade } from '../events.ts'
import { createDerivedOracle } from './derived-oracle.ts'
import { everyWholeSecond } from './whole-seconds.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)

function world() {
  const clock = createManualClock(START_MS)
  const ticks: OracleTick[] = []
  const oracle = createDerivedOracle({ clock, sink: { oracle: (tick) => ticks.push(tick) } })
  everyWholeSecond(clock, oracle.tick)
  const observe = (price: number, atMs: number, venue: Trade['venue'] = 'coinbase') =>
    oracle.observe({ venue, coin: 'BTC', id: 1, price, size: 1, side: 'buy', fills: 1, atMs })
  const trade = (price: number, venue?: Trade['venue']) => observe(price, clock.now(), venue)
  return { clock, ticks, observe, trade }
}

test('sixty seconds of dollar trades make an average, one a second, and it says what it is', () => {
  const { clock, ticks, trade } = world()
  trade(100)
  clock.advance(30_000)
  trade(200)
  trade(999, 'binance')
  clock.advance(29_500)
  expect(ticks.filter(({ kind }) => kind === 'twap_60s')).toEqual([])
  clock.advance(500)
  const atMs = START_MS + 60_000
  expect(ticks.at(-1)).toEqual({
    coin: 'BTC',
    kind: 'twap_60s',
    price: 150,
    source: 'coinbase_derived',
    atMs,
  })
  expect(ticks.filter(({ kind }) => kind === 'spot')).toHaveLength(60)
})

test('a price is not carried on through silence, and the average starts over after it', () => {
  const { clock, ticks, trade } = world()
  trade(100)
  clock.advance(60_000)
  expect(ticks.filter(({ kind }) => kind === 'twap_60s')).toEqual([])
  expect(ticks.at(-1)?.atMs).toBe(START_MS + 30_000)
})

test('past trades fill the seconds before the start: the average is known at the first second', () => {
  const { clock, ticks, observe } = world()
  for (let ago = 75; ago > 0; ago -= 5) observe(100 + ago, START_MS - ago * 1_000 + 500)
  clock.advance(1_000)
  // Seconds -58 to 1, each with the price of the last trade before it.
  const seconds = Array.from(
    { length: 60 },
    (_, at) => 100 + Math.max(5, 5 + 5 * Math.floor((58.5 - at) / 5)),
  )
  const average = ticks.find(({ kind }) => kind === 'twap_60s')
  expect(average?.atMs).toBe(START_MS + 1_000)
  expect(average?.price).toBeCloseTo(seconds.reduce((sum, each) => sum + each, 0) / 60, 9)
})

test('a trade that comes late counts for the seconds that it belongs to', () => {
  const { clock, ticks, observe } = world()
  observe(100, START_MS - 60_500)
  observe(100, START_MS - 40_500)
  observe(100, START_MS - 20_500)
  clock.advance(1_000)
  expect(ticks.at(-1)).toMatchObject({ kind: 'twap_60s', price: 100 })
  observe(160, START_MS + 200)
  clock.advance(1_000)
  // Two of the sixty seconds.
  expect(ticks.at(-1)).toMatchObject({ kind: 'twap_60s', price: 102 })
})
