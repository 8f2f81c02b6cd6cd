import { expect, test } from 'vitest'
import type { Book, OracleTick, Trade } from '../../feeds/events.ts'
import { FIRST_MS } from '../../testing/signals/random-candles.ts'
import { createCoinPrices } from './coin-prices.ts'

const NONE = Number.NaN
const at = (secondsIn: number) => FIRST_MS + secondsIn * 1000
const book = (venue: Book['venue'], secondsIn: number, bid: number, ask: number): Book => ({
  venue,
  coin: 'BTC',
  bids: [[bid, 1]],
  asks: [[ask, 1]],
  atMs: at(secondsIn),
})
const trade = (venue: Trade['venue'], secondsIn: number, price: number): Trade => ({
  venue,
  coin: 'BTC',
  id: 1,
  price,
  size: 1,
  side: 'buy',
  fills: 1,
  atMs: at(secondsIn),
})

test('dollars are the mid of the dollar venue, USDT the trades of the other', () => {
  const prices = createCoinPrices()
  prices.book(book('coinbase', 0, 99, 101))
  prices.book(book('binance', 0, 1, 3))
  prices.trade(trade('binance', 0, 7))
  expect(prices.read(at(0))).toEqual({ usd: 100, usdt: 7 })
})

test('nothing is known before the first event, and after ten silent seconds', () => {
  const prices = createCoinPrices()
  expect(prices.read(at(0))).toEqual({ usd: NONE, usdt: NONE })
  prices.book(book('coinbase', 0, 99, 101))
  prices.trade(trade('binance', 2, 7))
  expect(prices.read(at(10))).toEqual({ usd: 100, usdt: 7 })
  expect(prices.read(at(10.001))).toEqual({ usd: NONE, usdt: 7 })
  expect(prices.read(at(12.001))).toEqual({ usd: NONE, usdt: NONE })
})

test('a fresh mid is not given up for a trade, a book without a side tells nothing', () => {
  const prices = createCoinPrices()
  prices.book(book('coinbase', 0, 99, 101))
  prices.trade(trade('coinbase', 5, 101))
  prices.book({ ...book('coinbase', 6, 1, 3), asks: [] })
  expect(prices.read(at(6)).usd).toBe(100)
})

test('where there is no mid, every trade is the price, not one in ten seconds', () => {
  const prices = createCoinPrices()
  prices.trade(trade('coinbase', 0, 100))
  prices.trade(trade('coinbase', 1, 102))
  expect(prices.read(at(1)).usd).toBe(102)
  prices.book(book('coinbase', 2, 104, 106))
  prices.trade(trade('coinbase', 12.5, 107))
  prices.trade(trade('coinbase', 13, 108))
  expect(prices.read(at(13)).usd).toBe(108)
})

test('a trade that was repaired late does not replace a newer price', () => {
  const prices = createCoinPrices()
  prices.trade(trade('binance', 5, 100))
  prices.trade(trade('binance', 1, 90))
  expect(prices.read(at(5)).usdt).toBe(100)
})

test('the mid of a book in doubt is no price, the trades after it are, and so is the next book', () => {
  const prices = createCoinPrices()
  prices.book(book('coinbase', 0, 99, 101))
  prices.bookLost('binance')
  expect(prices.read(at(0)).usd).toBe(100)
  prices.bookLost('coinbase')
  expect(prices.read(at(0)).usd).toBe(NONE)
  prices.trade(trade('coinbase', 1, 103))
  prices.bookLost('coinbase')
  expect(prices.read(at(1)).usd).toBe(103)
  prices.book(book('coinbase', 2, 104, 106))
  expect(prices.read(at(2)).usd).toBe(105)
})

test('the average is the newest of the oracle, not of its spot price, and none once the oracle is silent', () => {
  const prices = createCoinPrices()
  const tick = (kind: OracleTick['kind'], secondsIn: number, price: number): OracleTick => ({
    coin: 'BTC',
    kind,
    price,
    source: 'polybolt',
    atMs: at(secondsIn),
  })
  expect(prices.average(at(0))).toBe(NONE)
  prices.oracle(tick('twap_60s', 3, 100))
  prices.oracle(tick('spot', 4, 50))
  prices.oracle(tick('twap_60s', 1, 60))
  expect(prices.average(at(13))).toBe(100)
  expect(prices.average(at(13.001))).toBe(NONE)
})
