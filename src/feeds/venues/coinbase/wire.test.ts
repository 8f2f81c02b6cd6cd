import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCoinbaseBookGate } from './book-gate.ts'
import { findCoinbaseKline, findCoinbaseTrade, judgeCoinbase } from './wire.ts'

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
  expect(judgeCoinbase(message, NOW_MS)).toMatchObject({ kind: 'malformed', stream })
})

test('good messages pass, and junk never throws', () => {
  for (const message of [match, change, snapshot, { type: 'subscriptions', channels: [] }]) {
    expect(judgeCoinbase(message, NOW_MS)).toEqual({ kind: 'pass' })
  }
  fc.assert(fc.property(fc.anything(), (junk) => void judgeCoinbase(junk, NOW_MS)))
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

test('changes need a snapshot of the same connection and must not run backwards', () => {
  const gate = createCoinbaseBookGate()
  const [first, second] = [{}, {}]
  const later = { ...change, time: '2026-01-05T12:00:00Z' }
  expect(gate.admit(first, 'XRP', change)).toBe('early')
  expect(gate.admit(first, 'XRP', snapshot)).toBe('pass')
  expect(gate.admit(first, 'XRP', later)).toBe('pass')
  expect(gate.admit(first, 'XRP', { ...change, time: '0001-01-01T00:00:00Z' })).toBe('pass')
  expect(gate.admit(first, 'XRP', change)).toBe('disorder')
  expect(gate.admit(first, 'XRP', later)).toBe('early')
  gate.admit(first, 'XRP', snapshot)
  expect(gate.admit(second, 'XRP', later)).toBe('early')
  gate.admit(second, 'XRP', snapshot)
  gate.forget('XRP')
  expect(gate.admit(second, 'XRP', later)).toBe('early')
})
