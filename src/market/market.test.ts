import { expect, test } from 'vitest'
import { createManualClock } from '../core/time/manual-clock.ts'
import type { Book, Trade, Venue } from '../feeds/events.ts'
import { createMarket } from './market.ts'
import { BASIS_USABLE_MS, PRICE_FRESH_MS } from './price.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)

function bookOf(venue: Venue, mid: number, atMs: number): Book {
  return { venue, coin: 'BTC', bids: [[mid - 1, 1]], asks: [[mid + 1, 1]], atMs }
}

function tradeOf(venue: Venue, price: number, atMs: number): Trade {
  return { venue, coin: 'BTC', id: 1, price, size: 1, side: 'buy', fills: 1, atMs }
}

function world() {
  const clock = createManualClock(START_MS)
  return { clock, market: createMarket({ clock }) }
}

test('the dollar venue gives the price while it is fresh', () => {
  const { clock, market } = world()
  expect(market.price('BTC')).toBeUndefined()
  market.sink.book(bookOf('binance', 50_050, clock.now()))
  expect(market.price('BTC')).toBeUndefined()
  market.sink.book(bookOf('coinbase', 50_000, clock.now()))
  expect(market.price('BTC')).toMatchObject({ price: 50_000, source: 'coinbase_mid', asOfMs: START_MS })
})

test('a stale dollar venue is replaced by the other one less the basis, and then by nothing', () => {
  const { clock, market } = world()
  market.sink.book(bookOf('coinbase', 50_000, clock.now()))
  market.sink.book(bookOf('binance', 50_050, clock.now()))
  clock.advance(PRICE_FRESH_MS + 1)
  market.sink.book(bookOf('binance', 60_060, clock.now()))
  const price = market.price('BTC')
  expect(price).toMatchObject({
    source: 'binance_mid_less_basis',
    asOfMs: clock.now(),
    venues: ['binance', 'coinbase'],
  })
  expect(price?.price).toBeCloseTo(60_000, 6)
  clock.advance(PRICE_FRESH_MS + 1)
  expect(market.price('BTC')).toBeUndefined()
  clock.advance(BASIS_USABLE_MS)
  market.sink.book(bookOf('binance', 60_060, clock.now()))
  expect(market.price('BTC')).toBeUndefined()
})

test('a lost book is not used: the last trade is the price', () => {
  const { clock, market } = world()
  market.sink.trade(tradeOf('coinbase', 49_990, clock.now()))
  market.sink.book(bookOf('coinbase', 50_000, clock.now()))
  market.sink.bookLost({ venue: 'coinbase', coin: 'BTC', fault: 'crossed', atMs: clock.now() })
  expect(market.price('BTC')).toMatchObject({ price: 49_990, source: 'coinbase_trade' })
  expect(market.book('coinbase', 'BTC')?.fault).toBe('crossed')
  market.sink.book(bookOf('coinbase', 50_001, clock.now()))
  expect(market.price('BTC')).toMatchObject({ price: 50_001, source: 'coinbase_mid' })
  expect(market.book('coinbase', 'BTC')?.fault).toBeUndefined()
})

test('version rises when what is seen changes and only then', () => {
  const { clock, market } = world()
  const versions: (number | undefined)[] = []
  const look = () => versions.push(market.price('BTC')?.version)
  market.sink.book(bookOf('coinbase', 50_000, clock.now()))
  look()
  market.sink.book(bookOf('binance', 50_000, clock.now()))
  look()
  market.sink.trade(tradeOf('coinbase', 50_001, clock.now()))
  look()
  market.sink.book(bookOf('coinbase', 50_002, clock.now()))
  look()
  clock.advance(PRICE_FRESH_MS + 1)
  look()
  market.sink.book(bookOf('coinbase', 50_002, clock.now()))
  look()
  expect(versions).toEqual([1, 1, 1, 2, undefined, 4])
})

test('oracle ticks are kept by kind with a version of their own', () => {
  const { clock, market } = world()
  const tick = { coin: 'ETH', source: 'polybolt', atMs: clock.now() } as const
  market.sink.oracle({ ...tick, kind: 'spot', price: 3_500 })
  market.sink.oracle({ ...tick, kind: 'twap_60s', price: 3_499 })
  const oracle = market.oracle('ETH')
  expect(oracle.version).toBe(2)
  expect(oracle.last.twap_60s?.price).toBe(3_499)
  expect(oracle.history('spot', 60)).toHaveLength(1)
  expect(market.oracle('BTC').last.spot).toBeUndefined()
})

test('freshness has the age of every stream', () => {
  const { clock, market } = world()
  market.sink.trade(tradeOf('binance', 50_000, clock.now()))
  market.sink.book(bookOf('binance', 50_000, clock.now()))
  market.sink.bookLost({ venue: 'binance', coin: 'BTC', fault: 'stalled', atMs: clock.now() })
  clock.advance(4_000)
  const ages = market.freshness()
  expect(ages).toHaveLength(4 * (2 * 2 + 2 + 1))
  const find = (stream: string) =>
    ages.find((age) => age.stream === stream && age.coin === 'BTC' && age.venue === 'binance')
  expect(find('trades')).toMatchObject({ ageMs: 4_000, isGood: true })
  expect(find('book')).toMatchObject({ ageMs: 4_000, isGood: false })
  expect(ages.filter(({ ageMs }) => ageMs === undefined)).toHaveLength(26)
})

test('candles, trades and the day are read per venue', () => {
  const { market } = world()
  market.sink.trade(tradeOf('binance', 50_000, START_MS))
  market.sink.trade({ ...tradeOf('binance', 51_000, START_MS + 60_000), id: 2 })
  expect(market.candles('binance', 'BTC', 9).map(({ complete }) => complete)).toEqual([false, true])
  expect(market.fiveMinuteCandles('binance', 'BTC', 1)).toMatchObject([
    { open: 50_000, close: 51_000, complete: false },
  ])
  expect(market.ticker('binance', 'BTC')).toMatchObject({
    last: 51_000,
    changePercent: 2,
    asOfMs: START_MS + 60_000,
  })
  expect(market.trades('binance', 'BTC', 1)).toMatchObject([{ price: 51_000 }])
  expect(market.candles('coinbase', 'BTC', 9)).toEqual([])
})
