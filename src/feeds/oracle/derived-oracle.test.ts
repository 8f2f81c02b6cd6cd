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
  const trade = (price: number, venue: Trade['venue'] = 'coinbase') =>
    oracle.observe({ venue, coin: 'BTC', id: 1, price, size: 1, side: 'buy', fills: 1, atMs: clock.now() })
  return { clock, ticks, trade }
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
