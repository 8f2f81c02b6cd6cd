import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import type { TokenBook } from '../../../upstreams/polymarket/token-book.ts'
import { createFollowedBook } from './followed-book.ts'
import { createVenueMotion } from './venue-motion.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)
const ID = { tokenId: '1', conditionId: '0xc' }
const NOTHING = { tickSize: 0.01, minOrderSize: 5, lastTradePrice: undefined, hash: undefined }

const bookAt = (atMs: number, shares: number): TokenBook => ({
  ...ID,
  ...NOTHING,
  atMs,
  bids: [[0.5, shares]],
  asks: [[0.6, 10]],
})
const bidAt = (atMs: number, shares: number) => ({
  atMs,
  levels: [{ side: 'bids' as const, price: 0.5, shares }],
  bestBid: 0.5,
  bestAsk: 0.6,
})
const askAt = (atMs: number, shares: number) => ({
  ...bidAt(atMs, shares),
  levels: [{ side: 'asks' as const, price: 0.6, shares }],
})

/** Follows a book of a second ago. */
function follow() {
  const clock = createManualClock(START_MS)
  const book = createFollowedBook({ clock, motion: createVenueMotion(clock)(), ...ID, tickSize: 0.01 })
  book.subscribed()
  book.snapshot(bookAt(START_MS - 1_000, 1))
  return { clock, book, bid: () => book.read()?.bids[0]?.[1] }
}

test('a doubt is ended only by a book that was asked for after it', () => {
  const { clock, book, bid } = follow()
  const sentMs = clock.now()
  clock.advance(50)
  book.misheard()
  expect(book.check(bookAt(START_MS - 1_000, 1), sentMs)).toBe('useless')
  expect(book.doubt()).toBe('malformed')
  expect(book.check(bookAt(START_MS + 40, 2), clock.now())).toBe('repaired')
  expect(bid()).toBe(2)
})

test('a book older than a frame that could not be used does not replace it', () => {
  const { clock, book } = follow()
  clock.advance(50)
  book.change(bidAt(START_MS + 50, 1e300))
  expect(book.doubt()).toBe('bad_level')
  clock.advance(10)
  expect(book.check(bookAt(START_MS + 49, 2), clock.now())).toBe('useless')
  expect(book.check(bookAt(START_MS + 50, 3), clock.now())).toBe('repaired')
})

test('changes that a connection brings before its snapshot wait for it', () => {
  const { clock, book, bid } = follow()
  book.lost()
  book.subscribed()
  clock.advance(100)
  book.change(bidAt(START_MS + 100, 5))
  expect([bid(), book.asOfMs()]).toEqual([1, START_MS])
  book.snapshot(bookAt(START_MS + 100, 6))
  expect(bid()).toBe(6)
})

test('a book that was asked for before the connection brought anything is not followed', () => {
  const { clock, book, bid } = follow()
  book.lost()
  book.subscribed()
  const sentMs = clock.now()
  clock.advance(100)
  book.change(askAt(START_MS + 100, 5))
  // Between this book and that first change there may have been others.
  expect(book.check(bookAt(START_MS, 2), sentMs)).toBe('newer')
  expect([bid(), book.asOfMs()]).toEqual([2, sentMs])
  clock.advance(100)
  book.change(bidAt(START_MS + 200, 7))
  expect([bid(), book.asOfMs()]).toEqual([2, sentMs])
})

test('after a connection has ended, a book older than ours is not taken', () => {
  const { clock, book, bid } = follow()
  book.change(bidAt(START_MS, 4))
  book.lost()
  clock.advance(100)
  expect(book.check(bookAt(START_MS - 1, 2), clock.now())).toBe('useless')
  expect([bid(), book.asOfMs()]).toEqual([4, START_MS])
  expect(book.check(bookAt(START_MS, 4), clock.now())).toBe('confirmed')
  expect(book.asOfMs()).toBe(START_MS + 100)
})

test('a snapshot that a change has overtaken holds what came before that; on a new connection it only lags', () => {
  const overtaken = follow()
  overtaken.book.change(bidAt(START_MS, 4))
  overtaken.book.snapshot({ ...bookAt(START_MS - 1, 2), asks: [[0.6, 3]] })
  expect([overtaken.bid(), overtaken.book.read()?.asks]).toEqual([4, [[0.6, 3]]])
  overtaken.book.snapshot(bookAt(START_MS - 2_001, 2))
  expect(overtaken.book.doubt()).toBe('out_of_order')

  const { book, bid } = follow()
  book.change(bidAt(START_MS, 4))
  book.lost()
  book.subscribed()
  book.snapshot(bookAt(START_MS - 1, 2))
  expect([book.doubt(), bid()]).toEqual([undefined, 4])
})

test('a snapshot ends a doubt even if REST was ahead of it', () => {
  const { clock, book, bid } = follow()
  clock.advance(100)
  book.check(bookAt(START_MS + 100, 3), clock.now())
  book.misheard()
  book.snapshot(bookAt(START_MS + 50, 2))
  expect([book.doubt(), bid(), book.asOfMs()]).toEqual([undefined, 2, START_MS + 50])
})

test('changes of the millisecond of a REST book are applied to it unless they were heard before it was asked for', () => {
  const { clock, book, bid } = follow()
  const sentMs = clock.now()
  clock.advance(10)
  book.change(bidAt(START_MS, 9))
  // The venue answered before that change, in the same millisecond.
  expect(book.check(bookAt(START_MS, 1), sentMs)).toBe('confirmed')
  expect(bid()).toBe(9)
  clock.advance(10)
  expect(book.check(bookAt(START_MS, 8), clock.now())).toBe('repaired')
  expect(bid()).toBe(8)
})

test('what REST shows and the connection does not bring is counted from when it was seen', () => {
  const { clock, book } = follow()
  clock.advance(5_000)
  expect(book.behindSinceMs()).toBeUndefined()
  book.check(bookAt(START_MS + 4_000, 3), clock.now())
  clock.advance(1_000)
  book.check(bookAt(START_MS + 5_500, 4), clock.now())
  expect(book.behindSinceMs()).toBe(START_MS + 5_000)
  book.change(bidAt(START_MS + 5_600, 5))
  expect(book.behindSinceMs()).toBeUndefined()
})

test('a REST book that was asked for before the tick changed keeps the new tick', () => {
  const { clock, book } = follow()
  const sentMs = clock.now()
  clock.advance(10)
  book.setTick(0.001)
  book.check(bookAt(START_MS, 3), sentMs)
  expect(book.tickSize()).toBe(0.001)
  book.check({ ...bookAt(START_MS, 3), tickSize: 0.0001 }, clock.now())
  expect(book.tickSize()).toBe(0.0001)
})

test('after a pause, changes wait for a REST book: what came between may have been lost', () => {
  const { clock, book, bid } = follow()
  clock.advance(2_501)
  book.change(bidAt(START_MS + 2_400, 7))
  expect([bid(), book.asOfMs(), book.isFollowing(), book.doubt()]).toEqual([1, START_MS, false, undefined])
  // Asked for before the pause ended: changes may be missing between it and the first one after.
  expect(book.check({ ...bookAt(START_MS + 2_000, 3), asks: [[0.6, 4]] }, START_MS + 2_000)).toBe('newer')
  expect(book.isFollowing()).toBe(false)
  clock.advance(100)
  book.change(askAt(START_MS + 2_600, 9))
  expect(book.check({ ...bookAt(START_MS + 2_500, 8), asks: [[0.6, 5]] }, clock.now())).toBe('newer')
  expect([bid(), book.read()?.asks, book.isFollowing()]).toEqual([8, [[0.6, 9]], true])
})

test('a connection that skips a change which REST has shown for a second has lost it', () => {
  const { clock, book, bid } = follow()
  clock.advance(1_000)
  book.check(bookAt(START_MS + 900, 3), clock.now())
  clock.advance(1_001)
  book.change(askAt(START_MS + 1_900, 7))
  expect([bid(), book.isFollowing()]).toEqual([3, false])
  expect(book.read()?.asks).toEqual([[0.6, 10]])
})
