import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { createModelBook } from '../../../testing/prediction/model-book.ts'
import { searchSize } from '../../../testing/search-size.ts'
import type { TokenBook } from '../../../upstreams/polymarket/token-book.ts'
import { createFollowedBook } from './followed-book.ts'
import type { TokenChanges } from './recent-changes.ts'
import { createVenueMotion } from './venue-motion.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)
const ID = { tokenId: '1', conditionId: '0xc' }

const level = fc.record({
  side: fc.constantFrom('bids' as const, 'asks' as const),
  cents: fc.integer({ min: 1, max: 99 }),
  shares: fc.constantFrom(0, 5, 10.5, 200),
})
const change = fc.record({
  op: fc.constant('change' as const),
  levels: fc.array(level, { minLength: 1, maxLength: 4 }),
})
const op = <T extends string>(name: T) => fc.record({ op: fc.constant(name) })
const pass = fc.record({ op: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 4_000 }) })
/** What a connection and slow replies can do: arrive late, repeat the last frame, end and start again. */
const honest = [
  change,
  change,
  op('deliver'),
  op('deliver'),
  op('repeat'),
  op('cut'),
  op('connect'),
  pass,
] as const
const rest = [op('ask'), op('answer'), op('receive')] as const
/** What they cannot do, unless the venue errs. */
const dishonest = [op('lose'), op('swap'), op('replay')] as const

type Frame = { snapshot: TokenBook } | { changes: TokenChanges }
type Op = { op: string; levels?: Parameters<ReturnType<typeof createModelBook>['change']>[1]; ms?: number }

function createWorld() {
  const clock = createManualClock(START_MS)
  const venue = createModelBook({ ...ID, atMs: START_MS - 60_000 })
  const book = createFollowedBook({ clock, motion: createVenueMotion(clock)(), ...ID, tickSize: 0.01 })
  let isConnected = false
  let onTheWay: Frame[] = []
  let seen: Frame[] = []
  const requests: { sentMs: number; reply?: TokenBook }[] = []
  const give = (frame: Frame | undefined) => {
    if (!frame) return
    seen.push(frame)
    if ('snapshot' in frame) book.snapshot(frame.snapshot)
    else book.change(frame.changes)
  }
  const acts: Record<string, (step: Op) => void> = {
    change({ levels = [] }) {
      // The venue never tells two changes with one time.
      clock.advance(1)
      const changes = venue.change(clock.now(), levels)
      if (isConnected) onTheWay.push({ changes })
    },
    pass: ({ ms = 1 }) => clock.advance(ms),
    deliver: () => give(onTheWay.shift()),
    repeat: () => give(seen.at(-1)),
    cut() {
      if (!isConnected) return
      isConnected = false
      onTheWay = []
      seen = []
      book.lost()
    },
    connect() {
      if (isConnected) return
      isConnected = true
      book.subscribed()
      onTheWay.push({ snapshot: venue.book() })
    },
    ask: () => void (requests.length < 3 && requests.push({ sentMs: clock.now() })),
    answer() {
      const request = requests.find(({ reply }) => !reply)
      if (request) request.reply = venue.book()
    },
    receive() {
      if (!requests[0]?.reply) return
      const { sentMs, reply } = requests.shift() ?? { sentMs: 0 }
      if (reply) book.check(reply, sentMs)
    },
    lose: () => void onTheWay.shift(),
    swap: () => void onTheWay.push(...onTheWay.splice(0, 1)),
    replay: () => give(seen[0]),
  }
  return {
    clock,
    venue,
    book,
    act: (step: Op) => acts[step.op]?.(step),
    deliverAll: () => onTheWay.splice(0).forEach(give),
  }
}

test('over an honest connection, what is shown was the venue’s book at or after the time it names', () => {
  let shown = 0
  fc.assert(
    fc.property(fc.array(fc.oneof(...honest, ...rest), { maxLength: 120, size: 'max' }), (steps) => {
      const { clock, venue, book, act } = createWorld()
      for (const step of [{ op: 'connect' }, ...steps]) {
        act(step)
        const read = book.read()
        if (!read) continue
        shown++
        expect(book.asOfMs()).toBeLessThanOrEqual(clock.now())
        expect(venue.wasSince(read, book.asOfMs())).toBe(true)
      }
    }),
    { numRuns: searchSize('book-runs') },
  )
  expect(shown).toBeGreaterThan(searchSize('book-runs'))
})

test('over an honest connection no book is doubted', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(...honest, ...rest), { maxLength: 120, size: 'max' }), (steps) => {
      const { book, act } = createWorld()
      act({ op: 'connect' })
      act({ op: 'deliver' })
      for (const step of steps) {
        act(step)
        expect(book.doubt()).toBeUndefined()
      }
    }),
    { numRuns: searchSize('book-runs') },
  )
})

test('whatever is lost, swapped or repeated: never crossed, and one REST book sets it right', () => {
  let repaired = 0
  fc.assert(
    fc.property(
      fc.array(fc.oneof(...honest, ...rest, ...dishonest), { maxLength: 120, size: 'max' }),
      (steps) => {
        const { clock, venue, book, act, deliverAll } = createWorld()
        for (const step of [{ op: 'connect' }, ...steps]) {
          act(step)
          const read = book.read()
          const [bid, ask] = [read?.bids[0]?.[0] ?? 0, read?.asks[0]?.[0] ?? 1]
          expect(bid).toBeLessThan(ask)
        }
        deliverAll()
        clock.advance(1)
        const wasWrong = !isEqual(book.read(), venue.book())
        const check = book.check(venue.book(), clock.now())
        if (wasWrong) expect(check).not.toBe('useless')
        if (wasWrong) repaired++
        expect(isEqual(book.read(), venue.book())).toBe(true)
      },
    ),
    { numRuns: searchSize('book-runs') },
  )
  expect(repaired).toBeGreaterThan(searchSize('book-runs') / 20)
})

const isEqual = (a: TokenBook | undefined, b: TokenBook) =>
  JSON.stringify([a?.bids, a?.asks]) === JSON.stringify([b.bids, b.asks])
