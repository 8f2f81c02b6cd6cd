import { expect, test } from 'vitest'
import type { OracleTick } from '../feeds/events.ts'
import { createOracleHistory } from './oracle-history.ts'

function tickAt(second: number, price = second): OracleTick {
  return { coin: 'BTC', kind: 'twap_60s', price, source: 'polybolt', atMs: second * 1000 }
}

test('an hour of ticks is kept, and older ticks are inserted without becoming the newest', () => {
  const history = createOracleHistory()
  for (let second = 0; second < 10_000; second++) if (second !== 9_990) history.apply(tickAt(second))
  expect(history.history(3_600)).toHaveLength(3_599)
  expect(history.apply(tickAt(9_990))).toBe(false)
  expect(history.newest?.atMs).toBe(9_999_000)
  const prices = history.history(3_600).map(({ price }) => price)
  expect(prices).toEqual(Array.from({ length: 3_600 }, (_, at) => 6_400 + at))
})

test('ticks older than the memory are left out, an hour of silence too', () => {
  const history = createOracleHistory({ capacityS: 100 })
  history.apply(tickAt(1_000))
  expect(history.apply(tickAt(900))).toBe(false)
  history.apply(tickAt(1_099))
  expect(history.history(100).map(({ price }) => price)).toEqual([1_000, 1_099])
  history.apply(tickAt(1_100))
  expect(history.history(100).map(({ price }) => price)).toEqual([1_099, 1_100])
})
