import { expect, it } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createLoad, LONGEST_HOLD_MS, type Load, type Place, PUBLIC_LIMITS } from './load.ts'
import { RECOVERS_AFTER_MS } from './slowed.ts'

const LIMITS = { inFlight: 3, burst: 5, perSecond: 2 }

/** How long to wait, 0 with a place. */
const enter = (load: Load, isKnown?: boolean) => {
  const place = load.enter(isKnown)
  return typeof place === 'number' ? place : 0
}
const placeOf = (load: Load, isKnown?: boolean) => load.enter(isKnown) as Place
/** How many of 100 get in, each for a moment. */
const countIn = (load: Load, isKnown?: boolean) => {
  const places = Array.from({ length: 100 }, () => {
    const place = load.enter(isKnown)
    if (typeof place !== 'number') place.leave()
    return place
  })
  return places.filter((place) => typeof place !== 'number').length
}

it('lets so many in at once, and the next when one has left', () => {
  const load = createLoad(createManualClock(0), LIMITS)
  const first = placeOf(load)
  expect([enter(load), enter(load), enter(load)]).toEqual([0, 0, 1_000])
  first.leave()
  expect([enter(load), enter(load)]).toEqual([0, 1_000])
})

it('spends its burst, says when the next call comes back, and has no more than the burst after a pause', () => {
  const clock = createManualClock(0)
  const load = createLoad(clock, { ...LIMITS, inFlight: 100 })
  expect(Array.from({ length: 6 }, () => enter(load))).toEqual([0, 0, 0, 0, 0, 500])
  clock.advance(499)
  expect(enter(load)).toBe(1)
  clock.advance(1)
  expect([enter(load), enter(load)]).toEqual([0, 500])
  clock.advance(3_600_000)
  expect(Array.from({ length: 6 }, () => enter(load)).filter((waitMs) => waitMs === 0)).toHaveLength(5)
})

it('is held for as long as it is told, within bounds, and a shorter time does not end a longer one', () => {
  const clock = createManualClock(0)
  const load = createLoad(clock, LIMITS)
  const [first, second] = [placeOf(load), placeOf(load)]
  expect([first.refused(7_000), second.refused(1_000)]).toEqual([7_000, 7_000])
  expect([enter(load), enter(load, false)]).toEqual([7_000, 7_000])
  clock.advance(7_000)
  expect(placeOf(load).refused(3_600_000)).toBe(LONGEST_HOLD_MS)
})

it('is scarce when half is spent, by calls or by places, while it is held, and for a while after that', () => {
  const clock = createManualClock(0)
  const places = createLoad(clock, { ...LIMITS, burst: 100 })
  enter(places)
  expect(places.isScarce()).toBe(false)
  enter(places)
  expect(places.isScarce()).toBe(true)
  const calls = createLoad(clock, { ...LIMITS, inFlight: 100 })
  for (let call = 0; call < 3; call++) enter(calls)
  expect(calls.isScarce()).toBe(true)
  clock.advance(1_000)
  expect(calls.isScarce()).toBe(false)
  placeOf(calls).refused(1_000)
  expect(calls.isScarce()).toBe(true)
  clock.advance(RECOVERS_AFTER_MS - 1)
  expect(calls.isScarce()).toBe(true)
  clock.advance(1)
  expect(calls.isScarce()).toBe(false)
})

it('without limits it is never full, nor scarce', () => {
  const load = createLoad(createManualClock(0))
  for (let call = 0; call < 10_000; call++) expect(enter(load)).toBe(0)
  expect(load.isScarce()).toBe(false)
})

it('strangers leave a quarter of places and calls to those who have paid before', () => {
  const clock = createManualClock(0)
  const places = createLoad(clock, { inFlight: 4, burst: 100, perSecond: 2 })
  expect(Array.from({ length: 4 }, () => enter(places, false))).toEqual([0, 0, 0, 1_000])
  expect([enter(places, true), enter(places, true)]).toEqual([0, 1_000])
  const calls = createLoad(clock, { inFlight: 100, burst: 4, perSecond: 2 })
  expect(Array.from({ length: 4 }, () => enter(calls, false))).toEqual([0, 0, 0, 500])
  expect(enter(calls, true)).toBe(0)
  clock.advance(500)
  expect([enter(calls, false), enter(calls, true)]).toEqual([500, 0])
})

it('while it is held a known buyer tries at a time, and later each time that it is still busy', () => {
  const clock = createManualClock(0)
  const load = createLoad(clock, PUBLIC_LIMITS.verify)
  expect(placeOf(load, false).refused(60_000)).toBe(60_000)
  const triedAt: number[] = []
  for (; clock.now() < 120_000; clock.advance(100)) {
    const place = load.enter(true)
    if (typeof place === 'number') continue
    expect(enter(load, true)).toBeGreaterThan(0)
    triedAt.push(clock.now())
    place.refused(60_000)
  }
  expect(triedAt).toEqual([500, 1_500, 3_500, 7_500, 15_500, 30_500, 45_500, 60_500, 75_500, 90_500, 105_500])
})

it('while known buyers are answered they go on one by one, and strangers wait as long as they were told', () => {
  const clock = createManualClock(0)
  const load = createLoad(clock, PUBLIC_LIMITS.verify)
  placeOf(load, false).refused(60_000)
  clock.advance(500)
  for (let call = 0; call < 20; call++) {
    const place = placeOf(load, true)
    expect(enter(load, true)).toBe(1_000)
    place.leave()
  }
  expect(enter(load, false)).toBe(59_500)
})

it.each([PUBLIC_LIMITS.verify, undefined])(
  'strangers get half as many calls after each hold, and twice as many in time',
  (limits) => {
    const clock = createManualClock(0)
    const load = createLoad(clock, limits)
    const after: number[] = []
    for (let time = 0; time < 8; time++) {
      clock.advance(10_000)
      const places = [placeOf(load, false), placeOf(load, false)]
      // Both were sent before it said so.
      for (const place of places) if (typeof place !== 'number') place.refused(1_000)
      clock.advance(1_000)
      after.push(countIn(load, false))
    }
    expect(after).toEqual([37, 18, 9, 4, 2, 1, 1, 1])
    clock.advance(RECOVERS_AFTER_MS)
    expect(countIn(load, false)).toBe(2)
    clock.advance(5 * RECOVERS_AFTER_MS)
    expect(load.isScarce()).toBe(false)
    expect(countIn(load, false)).toBe(limits ? 75 : 100)
  },
)
