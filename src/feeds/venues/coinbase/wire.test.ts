import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findCoinbaseKline, findCoinbaseTrade, readCoinbaseMessage } from './wire.ts'

const NOW_MS = Date.UTC(2026, 0, 5, 12)
const TIME = '2026-01-05T11:59:59.123456Z'
const match = {
  type: 'match',
  trade_id: 9,
  side: 'sell',
  size: '0.5',
  price: '100000',
  product_id: 'BTC-USD',
  sequence: 1,
  time: TIME,
}
const change = { type: 'l2update', product_id: 'XRP-USD', time: TIME, changes: [['buy', '2.4', '0']] }
const snapshot = { type: 'snapshot', product_id: 'XRP-USD', bids: [['2.4', '1']], asks: [['2.5', '1']] }

test('a match is read with the aggressor opposite to the maker', () => {
  const read = {
    venue: 'coinbase',
    coin: 'BTC',
    id: 9,
    price: 100_000,
    size: 0.5,
    fills: 1,
    atMs: NOW_MS - 877,
  }
  expect(findCoinbaseTrade('BTC', match, NOW_MS)).toEqual({ ...read, side: 'buy' })
  expect(findCoinbaseTrade('BTC', { ...match, side: 'buy' }, NOW_MS)?.side).toBe('sell')
})

test.each([
  ['trades', { ...match, side: 'both' }],
  ['trades', { ...match, trade_id: 'abc' }],
  ['trades', { ...match, price: null }],
  ['trades', { ...match, size: '0' }],
  ['trades', { ...match, time: '0001-01-01T00:00:00Z' }],
  ['trades', { ...match, time: undefined }],
  ['trades', { ...match, product_id: 'BTC-EUR' }],
  ['book', { ...change, changes: [['hold', '2.4', '1']] }],
  ['book', { ...change, changes: [['buy', 'NaN', '1']] }],
  ['book', { ...change, changes: null }],
  ['book', { ...snapshot, bids: undefined }],
  ['book', { ...snapshot, asks: [['2.5', '0.-1']] }],
  [undefined, { ...match, type: undefined }],
  [undefined, '{"type":"mat'],
] as const)('%s: %j goes no further', (stream, message) => {
  expect(readCoinbaseMessage(message, NOW_MS)).toMatchObject({ kind: 'malformed', stream })
})

test.each([
  [match, 'trade'],
  [change, 'changes'],
  [snapshot, 'snapshot'],
  [{ type: 'subscriptions', channels: [] }, 'accepted'],
  [{ ...match, type: 'last_match' }, 'notice'],
  [{ type: 'error', message: 'Failed to subscribe' }, 'refused'],
  [{ ...match, product_id: { toString: 1, valueOf: 1 } }, 'malformed'],
])('%j is read as %s', (message, kind) => {
  expect(readCoinbaseMessage(message, NOW_MS).kind).toBe(kind)
})

test('books are read as numbers', () => {
  expect(readCoinbaseMessage(snapshot, NOW_MS)).toEqual({
    kind: 'snapshot',
    coin: 'XRP',
    bids: [[2.4, 1]],
    asks: [[2.5, 1]],
  })
  expect(readCoinbaseMessage(change, NOW_MS)).toEqual({
    kind: 'changes',
    coin: 'XRP',
    changes: [{ side: 'bids', level: [2.4, 0] }],
    atMs: NOW_MS - 877,
  })
})

test('junk never throws', () => {
  fc.assert(fc.property(fc.anything(), (junk) => void readCoinbaseMessage(junk, NOW_MS)))
  const types = fc.constantFrom('match', 'snapshot', 'l2update', 'error')
  const message = fc.record({
    type: types,
    changes: fc.jsonValue(),
    bids: fc.jsonValue(),
    message: fc.jsonValue(),
  })
  fc.assert(fc.property(message, (junk) => void readCoinbaseMessage({ ...change, ...junk }, NOW_MS)))
})

test('a candle row is read in the order of the venue', () => {
  const prices = { open: 3, high: 4, low: 1, close: 2 }
  expect(findCoinbaseKline('ETH', [60, 1, 4, 3, 2, 7])).toMatchObject({
    openMs: 60_000,
    ...prices,
    volume: 7,
  })
  expect(findCoinbaseKline('ETH', [60, 1, 4, 3, null, 7])).toBeUndefined()
})
