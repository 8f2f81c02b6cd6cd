import { expect, it } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createLoad, LONGEST_HOLD_MS } from './load.ts'

const LIMITS = { inFlight: 3, burst: 5, perSecond: 2 }

it('lets so many in at once, and the next when one has left', () => {
  const load = createLoad(createManualClock(0), LIMITS)
  expect([load.enter(), load.enter(), load.enter(), load.enter()]).toEqual([0, 0, 0, 1_000])
  load.leave()
  expect([load.enter(), load.enter()]).toEqual([0, 1_000])
})

it('spends its burst, says when the next call comes back, and has no more than the burst after a pause', () => {
  const clock = createManualClock(0)
  const load = createLoad(clock, LIMITS)
  const call = () => {
    const waitMs = load.enter()
    if (waitMs === 0) load.leave()
    return waitMs
  }
  expect(Array.from({ length: 6 }, call)).toEqual([0, 0, 0, 0, 0, 500])
  clock.advance(499)
  expect(call()).toBe(1)
  clock.advance(1)
  expect([call(), call()]).toEqual([0, 500])
  clock.advance(3_600_000)
  expect(Array.from({ length: 6 }, call).filter((waitMs) => waitMs === 0)).toHaveLength(5)
})

it('is held for as long as it is told, within bounds, and a shorter time does not end a longer one', () => {
  const clock = createManualClock(0)
  const load = createLoad(clock, LIMITS)
  load.hold(7_000)
  load.hold(1_000)
  expect(load.enter()).toBe(7_000)
  clock.advance(7_000)
  expect(load.enter()).toBe(0)
  load.hold(3_600_000)
  expect(load.enter()).toBe(LONGEST_HOLD_MS)
})

it('is scarce when half is spent, by calls or by places, and while it is held', () => {
  const clock = createManualClock(0)
  const places = createLoad(clock, { ...LIMITS, burst: 100 })
  places.enter()
  expect(places.isScarce()).toBe(false)
  places.enter()
  expect(places.isScarce()).toBe(true)
  const calls = createLoad(clock, { ...LIMITS, inFlight: 100 })
  for (let call = 0; call < 3; call++) calls.enter()
  expect(calls.isScarce()).toBe(true)
  clock.advance(1_000)
  expect(calls.isScarce()).toBe(false)
  calls.hold(1_000)
  expect(calls.isScarce()).toBe(true)
  clock.advance(1_000)
  expect(calls.isScarce()).toBe(false)
})

it('without limits it is never full, nor scarce', () => {
  const load = createLoad(createManualClock(0))
  for (let call = 0; call < 10_000; call++) expect(load.enter()).toBe(0)
  expect(load.isScarce()).toBe(false)
})

it('strangers leave a quarter of places and calls to those who have paid before', () => {
  const clock = createManualClock(0)
  const places = createLoad(clock, { inFlight: 4, burst: 100, perSecond: 2 })
  expect(Array.from({ length: 4 }, () => places.enter(true))).toEqual([0, 0, 0, 1_000])
  expect([places.enter(false), places.enter(false)]).toEqual([0, 1_000])
  const calls = createLoad(clock, { inFlight: 100, burst: 4, perSecond: 2 })
  expect(Array.from({ length: 4 }, () => calls.enter(true))).toEqual([0, 0, 0, 500])
  expect(calls.enter()).toBe(0)
  clock.advance(500)
  expect([calls.enter(true), calls.enter()]).toEqual([500, 0])
})
