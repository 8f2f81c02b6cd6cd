import { expect, test } from 'vitest'
import { COINS } from '../../core/coin.ts'
import type { FiveMinuteHealth } from '../../feeds/prediction/five-minute-markets.ts'
import { predictionCheck } from './health-prediction.ts'

const HEALTH: FiveMinuteHealth = {
  isConnected: true,
  books: COINS.map((coin, at) => ({ coin, ageMs: 1_000 * at })),
  windows: { watched: 16, unknown: 0, unresolved: 4, resolved: 9, failures: 0 },
  streams: [],
  bookReads: { requests: 0, failures: 0 },
  followed: 8,
  checks: { confirmed: 0, newer: 0, loaded: 0, repaired: 0, useless: 0 },
  unmirrored: 0,
  foreignFrames: 0,
  malformedFrames: 0,
}
const check = (changed: Partial<FiveMinuteHealth> = {}) =>
  predictionCheck({ health: () => ({ ...HEALTH, ...changed }) })
const WATCHED = '16 windows watched, 0 unknown, 4 unresolved'

test('with its connection and fresh books of all coins the venue is well', () => {
  expect(check()).toEqual({
    name: 'polymarket',
    needed: false,
    state: 'ok',
    latencyMs: null,
    ageMs: 3_000,
    detail: `connected, fresh books of 4 of 4 coins, ${WATCHED}`,
  })
})

test('without its connection it is degraded, even while books are read over REST', () => {
  expect(check({ isConnected: false })).toMatchObject({
    state: 'degraded',
    detail: `not connected, fresh books of 4 of 4 coins, ${WATCHED}`,
  })
})

test.each([
  [10_000, 'ok'],
  [10_001, 'degraded'],
])('a book that is %i ms old is %s', (ageMs, state) => {
  const books = HEALTH.books.map((book) => (book.coin === 'XRP' ? { ...book, ageMs } : book))
  expect(check({ books })).toMatchObject({ state, ageMs })
})

test('without any book it is down, and says why', () => {
  const books = COINS.map((coin) => ({ coin, missing: 'a reason' }))
  const { state, ageMs, detail } = check({ books, isConnected: false })
  expect([state, ageMs]).toEqual(['down', null])
  expect(detail).toContain('fresh books of 0 of 4 coins')
  expect(detail).toContain('SOL: a reason')
})
