import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bookAt, HOSTILE, START_MS, sizedBookAt } from '../../testing/signals/indicator-events.ts'
import { createBookImbalance } from './book-imbalance.ts'

const INSTANT = { timeConstantMs: 1, weight: 1 }

test('each depth counts its own levels, and bids are positive', () => {
  const depths = [
    { levels: 1, ...INSTANT },
    { levels: 2, ...INSTANT },
    { levels: 10, ...INSTANT, weight: 2 },
  ]
  const imbalance = createBookImbalance({ depths })
  imbalance.book(sizedBookAt(0, [3, 1, 6], [1, 3, 2]))
  const nowMs = START_MS + 1_000
  expect(imbalance.depths(nowMs)).toEqual([0.5, 0, 0.25])
  expect(imbalance.read(nowMs)).toBe((0.5 + 0 + 2 * 0.25) / 4)
  imbalance.book(sizedBookAt(1_000, [1], [3]))
  for (const reading of imbalance.depths(nowMs + 1_000)) expect(reading).toBeCloseTo(-0.5, 12)
})

test('levels behind the deepest do not count', () => {
  const imbalance = createBookImbalance()
  const sizes = new Array(10).fill(1)
  imbalance.book(sizedBookAt(0, [...sizes, 99], sizes))
  expect(imbalance.depths(START_MS + 60_000)).toEqual([0, 0, 0])
})

test('the best level follows within two seconds, deeper ones within ten', () => {
  const imbalance = createBookImbalance()
  imbalance.book(sizedBookAt(0, [1], [3]))
  imbalance.book(sizedBookAt(100_000, [3], [1]))
  const [best, deeper, deepest] = imbalance.depths(START_MS + 102_000)
  expect(best).toBeCloseTo(0.5 - 1 / Math.E, 9)
  expect(deeper).toBeCloseTo(0.5 - Math.exp(-0.2), 4)
  expect(deepest).toBe(deeper)
})

test('the first book is read right away, and before it there is a reason', () => {
  const imbalance = createBookImbalance()
  expect(imbalance.depths(START_MS)).toEqual([undefined, undefined, undefined])
  expect(imbalance.whyUnknown(START_MS)).toBe('the order book is not known yet, or is being read again')
  imbalance.book(sizedBookAt(0, [3], [1]))
  for (const afterMs of [0, 1, 60_000]) {
    expect(imbalance.depths(START_MS + afterMs)).toEqual([0.5, 0.5, 0.5])
    expect(imbalance.read(START_MS + afterMs)).toBe(0.5)
    expect(imbalance.whyUnknown(START_MS + afterMs)).toBeUndefined()
  }
})

test('a lost or invalid book ends all readings until the next one', () => {
  const imbalance = createBookImbalance()
  const doubts = [
    () => imbalance.lost(),
    () => imbalance.book(bookAt(20_000, [], [[100, 1]])),
    () => imbalance.book(bookAt(20_000, [[100, 1]], [])),
    () => imbalance.book(bookAt(20_000, [[101, 1]], [[100, 1]])),
    ...HOSTILE.map((bad) => () => imbalance.book(sizedBookAt(20_000, [bad], [1]))),
    () => imbalance.book(bookAt(Number.NaN, [[99, 1]], [[100, 1]])),
  ]
  let atMs = 0
  for (const doubt of doubts) {
    imbalance.book(sizedBookAt(atMs, [3], [1]))
    expect(imbalance.read(START_MS + atMs + 20_000)).toBe(0.5)
    doubt()
    expect(imbalance.read(START_MS + atMs + 20_000)).toBeUndefined()
    imbalance.book(sizedBookAt(atMs + 20_000, [1], [3]))
    expect(imbalance.read(START_MS + atMs + 20_000)).toBe(-0.5)
    imbalance.lost()
    atMs += 100_000
  }
})

test('an invalid deeper level counts as empty', () => {
  const imbalance = createBookImbalance()
  imbalance.book(sizedBookAt(0, [3, ...HOSTILE], [1, 2]))
  expect(imbalance.depths(START_MS + 10_000)).toEqual([0.5, 0, 0])
})

test('depths that do not rise are refused', () => {
  expect(() => createBookImbalance({ depths: [] })).toThrow(RangeError)
  const same = { levels: 5, ...INSTANT }
  expect(() => createBookImbalance({ depths: [same, same] })).toThrow(RangeError)
})

test('it stays within -1..1, does not know the unit of sizes, and turns with the sides', () => {
  const sizes = fc.array(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 12 })
  const steps = fc.array(fc.tuple(fc.integer({ min: -500, max: 5_000 }), sizes, sizes), {
    minLength: 1,
    maxLength: 30,
  })
  fc.assert(
    fc.property(steps, (books) => {
      const [plain, scaled, mirrored] = [createBookImbalance(), createBookImbalance(), createBookImbalance()]
      let atMs = 0
      let newestMs = 0
      for (const [waitMs, bids, asks] of books) {
        atMs += waitMs
        newestMs = Math.max(newestMs, atMs)
        plain.book(sizedBookAt(atMs, bids, asks))
        const larger = [bids, asks].map((side) => side.map((size) => size * 1024))
        scaled.book(sizedBookAt(atMs, larger[0] ?? [], larger[1] ?? []))
        mirrored.book(sizedBookAt(atMs, asks, bids))
        const nowMs = START_MS + newestMs + 100
        const reading = plain.read(nowMs)
        expect(scaled.read(nowMs)).toBe(reading)
        if (reading === undefined) continue
        expect(Math.abs(reading)).toBeLessThanOrEqual(1)
        expect(mirrored.read(nowMs)).toBeCloseTo(-reading, 12)
      }
    }),
  )
})
