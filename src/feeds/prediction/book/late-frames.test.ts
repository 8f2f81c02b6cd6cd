import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { createModelBook } from '../../../testing/prediction/model-book.ts'
import { searchSize } from '../../../testing/search-size.ts'
import { createSeeded } from '../../../testing/seeded.ts'
import type { TokenBook } from '../../../upstreams/polymarket/token-book.ts'
import { createFollowedBook } from './followed-book.ts'
import type { TokenChanges } from './recent-changes.ts'
import { createVenueMotion } from './venue-motion.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)
const ID = { tokenId: '1', conditionId: '0xc' }
const MAX_LATE_MS = 2_000

function follow() {
  const clock = createManualClock(START_MS)
  const venue = createModelBook({ ...ID, atMs: START_MS })
  const book = createFollowedBook({ clock, motion: createVenueMotion(clock)(), ...ID, tickSize: 0.01 })
  const connect = () => {
    book.subscribed()
    book.snapshot(venue.book())
  }
  connect()
  const bidAt = (atMs: number, shares: number) => venue.change(atMs, [{ side: 'bids', cents: 40, shares }])
  return { clock, venue, book, connect, bidAt }
}

const levelsOf = (book: TokenBook | undefined) => book && { bids: book.bids, asks: book.asks }

const frames = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 1, max: 40 }),
    delayMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: MAX_LATE_MS })),
    levels: fc.array(
      fc.record({
        side: fc.constantFrom('bids' as const, 'asks' as const),
        cents: fc.integer({ min: 45, max: 55 }),
        shares: fc.constantFrom(0, 5, 200),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  { maxLength: 20, size: 'max' },
)

test('frames that overtake each other end in the same book as in order, without REST', () => {
  let overtaken = 0
  fc.assert(
    fc.property(frames, (steps) => {
      const { clock, venue, book } = follow()
      let atMs = START_MS
      const sent = steps.map(({ afterMs, delayMs, levels }) => {
        atMs += afterMs
        return { changes: venue.change(atMs, levels), arrivesMs: atMs + delayMs }
      })
      const arriving = sent.toSorted((a, b) => a.arrivesMs - b.arrivesMs)
      for (const { changes, arrivesMs } of arriving) {
        clock.advanceTo(arrivesMs)
        book.change(changes)
      }
      if (arriving.some((frame, at) => frame !== sent[at])) overtaken++
      expect([book.doubt(), levelsOf(book.read())]).toEqual([undefined, levelsOf(venue.book())])
      expect(book.asOfMs()).toBe(atMs)
    }),
    { numRuns: searchSize('book-runs') },
  )
  expect(overtaken).toBeGreaterThan(searchSize('book-runs') / 4)
})

test('at 65 changes a second of which one in fifty is overtaken, the book is always there', () => {
  const { clock, venue, book } = follow()
  const seeded = createSeeded(5)
  let held: TokenChanges | undefined
  // Longer than all changes are remembered.
  for (let count = 0; count < 65 * 90; count++) {
    clock.advance(15)
    const cents = seeded.between(40, 60)
    const changes = venue.change(clock.now(), [
      { side: cents < 50 ? 'bids' : 'asks', cents, shares: seeded.between(1, 9) },
    ])
    if (held) {
      book.change(changes)
      book.change(held)
      held = undefined
      expect(levelsOf(book.read())).toEqual(levelsOf(venue.book()))
    } else if (seeded.chance(0.02)) held = changes
    else book.change(changes)
    expect(book.doubt()).toBeUndefined()
  }
})

test('a frame that is missing is waited for as long as REST needs; a REST book asked for before will do', () => {
  const { clock, venue, book } = follow()
  const sentMs = clock.now()
  clock.advance(10)
  const best = venue.change(clock.now(), [{ side: 'bids', cents: 50, shares: 5 }])
  const reply = venue.book()
  clock.advance(10)
  book.change(venue.change(clock.now(), [{ side: 'bids', cents: 45, shares: 5 }]))
  expect(book.doubt()).toBe('mismatch')
  expect(book.check(reply, sentMs)).toBe('repaired')
  expect(levelsOf(book.read())).toEqual(levelsOf(venue.book()))
  // It comes after all, and says nothing new.
  book.change(best)
  expect(levelsOf(book.read())).toEqual(levelsOf(venue.book()))
})

test('a frame that is late by more than two seconds puts the book in doubt', () => {
  const { clock, book, bidAt } = follow()
  const tooLate = bidAt(START_MS + 9, 1)
  const late = bidAt(START_MS + 10, 2)
  clock.advance(10 + MAX_LATE_MS)
  book.change(bidAt(clock.now(), 3))
  book.change(late)
  expect(book.doubt()).toBeUndefined()
  book.change(tooLate)
  expect(book.doubt()).toBe('out_of_order')
})

test.each([500, 60_000])('a clock put back by %i ms heals after a reconnect', (backMs) => {
  const { clock, venue, book, connect, bidAt } = follow()
  for (let count = 1; count <= 30; count++) {
    clock.advance(10)
    book.change(bidAt(clock.now(), count))
  }
  for (let count = 1; count <= 30; count++) {
    clock.advance(10)
    book.change(bidAt(clock.now() - backMs, 100 + count))
  }
  expect(book.doubt()).toBe('out_of_order')
  book.lost()
  connect()
  for (let count = 1; count <= 3; count++) {
    clock.advance(1_000)
    const late = bidAt(clock.now() - backMs - 1, 100 + count)
    book.change(bidAt(clock.now() - backMs, 200 + count))
    book.change(late)
  }
  expect(levelsOf(book.read())).toEqual(levelsOf(venue.book()))
  clock.advance(100)
  expect(book.check(venue.book(), clock.now())).toBe('confirmed')
  expect(book.asOfMs()).toBe(clock.now())
})

test('a clock put back between two connections heals within seconds', () => {
  const { clock, venue, book, connect, bidAt } = follow()
  clock.advance(10)
  book.change(bidAt(clock.now(), 1))
  book.lost()
  bidAt(clock.now() - 60_000, 2)
  connect()
  for (let seconds = 1; seconds <= 7; seconds++) {
    clock.advance(1_000)
    book.change(bidAt(clock.now() - 60_000, 2 + seconds))
    book.check(venue.book(), clock.now())
  }
  expect(levelsOf(book.read())).toEqual(levelsOf(venue.book()))
  expect(book.asOfMs()).toBe(clock.now())
})

test('an overtaken book does not end a doubt about something else', () => {
  const { clock, venue, book, bidAt } = follow()
  bidAt(START_MS + 10, 5)
  const overtaken = venue.book()
  const change = venue.change(START_MS + 20, [{ side: 'asks', cents: 55, shares: 5 }])
  clock.advance(20)
  book.change(change)
  // The frame that said this could not be read.
  bidAt(START_MS + 30, 200)
  clock.advance(10)
  book.misheard()
  book.snapshot(overtaken)
  expect([book.doubt(), book.read()]).toEqual(['malformed', undefined])
})

test('an overtaken book that is older than the last whole one undoes nothing', () => {
  const { clock, venue, book } = follow()
  const bid = (atMs: number, cents: number, shares: number) =>
    venue.change(START_MS + atMs, [{ side: 'bids', cents, shares }])
  const ask = (atMs: number, cents: number) =>
    venue.change(START_MS + atMs, [{ side: 'asks', cents, shares: 5 }])
  bid(10, 44, 5)
  const older = venue.book()
  bid(20, 45, 7)
  const whole = venue.book()
  const [first, missed, last] = [ask(25, 55), bid(30, 51, 1), ask(40, 56)]
  clock.advance(25)
  book.change(first)
  book.snapshot(whole)
  clock.advance(15)
  book.change(last)
  book.snapshot(older)
  book.change(missed)
  expect(levelsOf(book.read())).toEqual(levelsOf(venue.book()))
})
