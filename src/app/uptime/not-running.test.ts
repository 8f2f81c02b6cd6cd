import { expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../core/time/time.ts'
import { notRunning } from './not-running.ts'

const NOON_MS = 100 * DAY_MS + DAY_MS / 2
const from = (atMs: number, nowMs: number, isStop = false) => notRunning({ atMs, isStop }, nowMs)

test('a restart within the minute, or into the next, has missed nothing', () => {
  for (const nowMs of [NOON_MS, NOON_MS + 59_999, NOON_MS + MINUTE_MS])
    expect(from(NOON_MS, nowMs)).toEqual({ days: [], incident: undefined })
})

test('one missed check counts, and is no incident yet', () => {
  const { days, incident } = from(NOON_MS, NOON_MS + 2 * MINUTE_MS)
  expect(days).toMatchObject([{ day: 100, part: 'service', ok: 0, down: 1 }])
  expect(incident).toBeUndefined()
})

test('two are one, from the last sign of life to the start', () => {
  const nowMs = NOON_MS + 3 * MINUTE_MS + 500
  expect(from(NOON_MS + 7, nowMs).incident).toMatchObject({
    part: 'service',
    beganMs: NOON_MS + 7,
    endedMs: nowMs,
    worst: 'down',
    isPlanned: false,
    cause: expect.stringContaining('not running'),
  })
})

test('a stop by the operator is told as planned, and counts all the same', () => {
  const { days, incident } = from(NOON_MS, NOON_MS + 11 * MINUTE_MS, true)
  expect(incident).toMatchObject({ isPlanned: true, cause: 'stopped by its operator' })
  expect(days).toMatchObject([{ down: 10 }])
})

test('is counted on the days on which it was', () => {
  const { days } = from(101 * DAY_MS - 3 * MINUTE_MS, 103 * DAY_MS + MINUTE_MS)
  expect(days.map(({ day, down }) => [day, down])).toEqual([
    [100, 2],
    [101, 1_440],
    [102, 1_440],
    [103, 1],
  ])
})

test('a clock that was set back says nothing', () => {
  expect(from(NOON_MS, NOON_MS - DAY_MS)).toEqual({ days: [], incident: undefined })
})

test('a sign of life that is more than thirty days old may be of a wrong clock: nobody knows', () => {
  expect(from(NOON_MS, NOON_MS + 30 * DAY_MS).days).toHaveLength(31)
  for (const nowMs of [NOON_MS + 30 * DAY_MS + 1, 30_000 * DAY_MS])
    expect(from(NOON_MS, nowMs)).toEqual({ days: [], incident: undefined })
})

test('one that is older than the newest measured day is of a wrong clock: nobody knows', () => {
  const life = { atMs: NOON_MS, isStop: false }
  expect(notRunning(life, NOON_MS + 2 * DAY_MS, 101)).toEqual({ days: [], incident: undefined })
  expect(notRunning(life, NOON_MS + 2 * DAY_MS, 100).days).toHaveLength(3)
})
