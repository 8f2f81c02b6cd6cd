import { expect, test } from 'vitest'
import type { RateCount } from '../catalog/rate-limit.ts'
import { createManualClock } from '../core/time/manual-clock.ts'
import { createRateCounters } from './rate-counters.ts'

const NOON_MS = Date.parse('2026-01-05T12:00:00.000Z')
const perMinute = { name: 'test', calls: 2, windowS: 60 }

test('a client has its calls, then none until the window ends', () => {
  const clock = createManualClock(NOON_MS + 10_500)
  const { take } = createRateCounters({ clock })
  expect(take(perMinute, 'a')).toEqual({ isOver: false, remaining: 1, resetS: 50 })
  expect(take(perMinute, 'a')).toEqual({ isOver: false, remaining: 0, resetS: 50 })
  expect(take(perMinute, 'a')).toEqual({ isOver: true, remaining: 0, resetS: 50 })
  clock.advance(49_499)
  expect(take(perMinute, 'a')).toEqual({ isOver: true, remaining: 0, resetS: 1 })
  clock.advance(1)
  expect(take(perMinute, 'a')).toEqual({ isOver: false, remaining: 1, resetS: 60 })
})

test('clients and limits are counted apart; endpoints that name one limit share it', () => {
  const { take } = createRateCounters({ clock: createManualClock(NOON_MS) })
  const perDay = { name: 'day', calls: 1, windowS: 86_400 }
  expect(take(perDay, 'a')).toMatchObject({ isOver: false, resetS: 43_200 })
  expect(take({ ...perDay }, 'a')).toMatchObject({ isOver: true })
  expect(take(perDay, 'b')).toMatchObject({ isOver: false })
  expect(take(perMinute, 'a')).toMatchObject({ isOver: false })
})

test('a clock that is set back opens no window anew', () => {
  const clock = createManualClock(NOON_MS)
  const once = { name: 'once', calls: 1, windowS: 60 }
  let nowMs = NOON_MS
  const { take } = createRateCounters({ clock: { ...clock, now: () => nowMs } })
  take(once, 'a')
  nowMs -= 90_000
  expect(take(once, 'a')).toEqual({ isOver: true, remaining: 0, resetS: 150 })
})

test('a refused call does not count, and a crowd of clients is bounded', () => {
  const { take } = createRateCounters({ clock: createManualClock(NOON_MS) })
  const once = { name: 'once', calls: 1, windowS: 60 }
  take(once, 'first')
  for (let n = 0; n < 100_000; n++) take(once, `client ${n}`)
  expect(take(once, 'client 99999')).toMatchObject({ isOver: true })
  expect(take(once, 'first')).toMatchObject({ isOver: false })
})

test('a call that is given back can be made again, in its window and no oftener than the limit allows', () => {
  const clock = createManualClock(NOON_MS)
  const { take, giveBack } = createRateCounters({ clock })
  const twice = { name: 'twice', calls: 2, windowS: 60 }
  const isOver = () => (take(twice, 'a') as RateCount).isOver
  for (let n = 0; n < 5; n++) giveBack(twice, 'a')
  expect([isOver(), isOver(), isOver()]).toEqual([false, false, true])
  giveBack(twice, 'a')
  expect([isOver(), isOver()]).toEqual([false, true])
  clock.advance(60_000)
  giveBack(twice, 'a')
  expect([isOver(), isOver(), isOver()]).toEqual([false, false, true])
})

test('a look counts nothing', () => {
  const { take, look } = createRateCounters({ clock: createManualClock(NOON_MS) })
  expect([look(perMinute, 'a'), look(perMinute, 'a')]).toEqual(
    Array(2).fill({ isOver: false, remaining: 2, resetS: 60 }),
  )
  take(perMinute, 'a')
  expect(look(perMinute, 'a')).toEqual({ isOver: false, remaining: 1, resetS: 60 })
  take(perMinute, 'a')
  expect(look(perMinute, 'a')).toEqual({ isOver: true, remaining: 0, resetS: 60 })
})
