import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findBinanceKline, findBinanceTrade, findDepthSnapshot, readBinanceMessage } from './wire.ts'

const NOW_MS = Date.UTC(2026, 0, 5, 12)
const trade = {
  e: 'aggTrade',
  E: NOW_MS,
  s: 'BTCUSDT',
  a: 7,
  p: '100000.5',
  q: '0.25',
  f: 100,
  l: 102,
  T: NOW_MS - 5,
  m: true,
  M: true,
}
const depth = {
  e: 'depthUpdate',
  E: NOW_MS,
  s: 'ETHUSDT',
  U: 1,
  u: 3,
  b: [['3500.1', '2']],
  a: [['3500.2', '0.0']],
}

test('an aggregate trade is read with its aggressor and its fills', () => {
  const read = {
    venue: 'binance',
    coin: 'BTC',
    id: 7,
    price: 100_000.5,
    size: 0.25,
    fills: 3,
    atMs: NOW_MS - 5,
  }
  expect(findBinanceTrade('BTC', trade, NOW_MS)).toEqual({ ...read, side: 'sell' })
  expect(findBinanceTrade('BTC', { ...trade, m: false }, NOW_MS)?.side).toBe('buy')
})

test.each([
  ['a', 'x7'],
  ['a', 1.5],
  ['a', -1],
  ['p', 'NaN'],
  ['p', '0'],
  ['q', null],
  ['q', ''],
  ['q', '-2'],
  ['T', NOW_MS / 1000],
  ['T', NOW_MS + 60_000],
  ['T', undefined],
  ['m', 'true'],
  ['l', 99],
  ['s', 'DOGEUSDT'],
] as const)('a trade whose %s is %j goes no further', (field, value) => {
  expect(readBinanceMessage({ ...trade, [field]: value }, NOW_MS)).toMatchObject({
    kind: 'malformed',
    stream: 'trades',
  })
})

test.each([
  ['U', 4],
  ['u', null],
  ['b', undefined],
  ['b', [['3500.1']]],
  ['b', [['abc', '1']]],
  ['a', [['3500.2', '-1']]],
  ['a', {}],
  ['E', 'soon'],
] as const)('a change of the book whose %s is %j goes no further', (field, value) => {
  expect(readBinanceMessage({ ...depth, [field]: value }, NOW_MS)).toEqual({
    kind: 'malformed',
    stream: 'book',
    coin: 'ETH',
  })
})

test.each([
  [trade, 'trade'],
  [depth, 'depth'],
  [{ result: null, id: 3 }, 'accepted'],
  [{ e: 'serverShutdown', E: NOW_MS }, 'notice'],
  [{ error: { code: 2, msg: 'too many' }, id: 1 }, 'refused'],
  [{ code: 2, msg: 'too many', id: 1 }, 'refused'],
  [{ ...trade, e: 'kline' }, 'malformed'],
  [{ ...trade, s: { toString: 1, valueOf: 1 } }, 'malformed'],
  ['{"e":"aggTr', 'malformed'],
  [undefined, 'malformed'],
])('%j is read as %s', (message, kind) => {
  expect(readBinanceMessage(message, NOW_MS).kind).toBe(kind)
})

test('a change of the book is read as numbers', () => {
  const change = { firstId: 1, lastId: 3, atMs: NOW_MS, bids: [[3500.1, 2]], asks: [[3500.2, 0]] }
  expect(readBinanceMessage(depth, NOW_MS)).toEqual({ kind: 'depth', coin: 'ETH', change })
})

test('a refusal is told in the words of the venue', () => {
  const refused = (message: unknown) => readBinanceMessage(message, NOW_MS)
  expect(refused({ error: { code: 2, msg: 'too many' }, id: 1 })).toMatchObject({ reason: 'too many' })
  expect(refused({ code: 2, msg: {}, id: 1 })).toMatchObject({ reason: 'no reason given' })
})

test('junk never throws', () => {
  fc.assert(fc.property(fc.anything(), (junk) => void readBinanceMessage(junk, NOW_MS)))
  fc.assert(
    fc.property(fc.jsonValue(), (junk) => void readBinanceMessage({ ...depth, b: junk, s: junk }, NOW_MS)),
  )
  fc.assert(fc.property(fc.anything(), (junk) => void findDepthSnapshot(junk)))
})

test.each([
  ['lastUpdateId', '7x'],
  ['lastUpdateId', undefined],
  ['bids', [['1']]],
  ['asks', [['1', 'NaN']]],
  ['asks', null],
])('a snapshot whose %s is %j is refused', (field, value) => {
  const snapshot = { lastUpdateId: 7, bids: [['1.5', '2']], asks: [['1.6', '1']] }
  expect(findDepthSnapshot(snapshot)).toEqual({ lastId: 7, bids: [[1.5, 2]], asks: [[1.6, 1]] })
  expect(findDepthSnapshot({ ...snapshot, [field]: value })).toBeUndefined()
})

test('a candle row is read whole or not at all', () => {
  const row = [NOW_MS, '1', '3', '0.5', '2', '10', NOW_MS + 59_999, '20', 44, '6', '12', '0']
  const prices = { open: 1, high: 3, low: 0.5, close: 2 }
  const read = {
    venue: 'binance',
    coin: 'SOL',
    openMs: NOW_MS,
    ...prices,
    volume: 10,
    takerBuyVolume: 6,
    trades: 44,
  }
  expect(findBinanceKline('SOL', row)).toEqual(read)
  expect(findBinanceKline('SOL', row.with(3, 'NaN'))).toBeUndefined()
  expect(findBinanceKline('SOL', 'row')).toBeUndefined()
})
