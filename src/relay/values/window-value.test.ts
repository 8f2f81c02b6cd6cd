import { expect, test } from 'vitest'
import { bookHealth } from '../../feeds/prediction/five-minute-markets.ts'
import { fromText, toText } from '../wire/codec.ts'
import { VenueHealth } from './window-value.ts'

test('the health of the venue is taken as it is told, with and without books', () => {
  const counts = { followed: 4, unmirrored: 0, foreignFrames: 0, malformedFrames: 0, isConnected: true }
  const health = {
    ...counts,
    checks: { confirmed: 1, newer: 0, loaded: 0, repaired: 0, useless: 0 },
    books: [bookHealth('BTC', 5, 10, () => ''), bookHealth('ETH', undefined, 10, () => 'no market yet')],
    streams: [],
    windows: { watched: 4, unknown: 0, unresolved: 0, resolved: 0, failures: 0 },
    bookReads: { requests: 1, failures: 0 },
  }
  expect(VenueHealth.parse(fromText(toText(health)))).toEqual(health)
  expect(VenueHealth.safeParse({ ...health, books: [{ coin: 'BTC', ageMs: 'old' }] }).success).toBe(false)
})
