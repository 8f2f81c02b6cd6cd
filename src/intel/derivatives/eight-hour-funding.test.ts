import { expect, it } from 'vitest'
import { HOUR_MS } from '../../core/time/time.ts'
import { toEightHourSums, toEightHours } from './eight-hour-funding.ts'

const MIDNIGHT_MS = Date.UTC(2026, 4, 6)
const SPAN = MIDNIGHT_MS / (8 * HOUR_MS)
const row = (hour: number, rate: number, lateMs = 0) => ({
  atMs: MIDNIGHT_MS + hour * HOUR_MS + lateMs,
  rate,
})

it('makes any interval one of eight hours', () => {
  expect(toEightHours(0.0001, 8)).toBe(0.0001)
  expect(toEightHours(0.0000125, 1)).toBe(0.0001)
  expect(toEightHours(-0.00005, 4)).toBe(-0.0001)
})

it('takes the settlement of eight hours as it is, be it a little late, and in any order', () => {
  expect(toEightHourSums([row(16, 2e-4), row(8, 1e-4, 388), row(0, -1e-4, 2)])).toEqual(
    new Map([
      [SPAN, -1e-4],
      [SPAN + 1, 1e-4],
      [SPAN + 2, 2e-4],
    ]),
  )
})

it('sums up hourly settlements, and leaves out a span that is not whole', () => {
  const rows = Array.from({ length: 20 }, (_, hour) => row(hour, 1e-5, 48))
  const sums = toEightHourSums(rows)
  expect([...sums.keys()]).toEqual([SPAN + 1, SPAN + 2])
  expect(sums.get(SPAN + 1)).toBeCloseTo(8e-5, 10)
  expect([...toEightHourSums(rows.filter((_, hour) => hour !== 5)).keys()]).toEqual([SPAN + 2])
})

it('loses no more than the span in which a settlement came out of turn', () => {
  const inTurn = Array.from({ length: 6 }, (_, index) => row(8 * index, 1e-4))
  const sums = toEightHourSums([...inTurn, row(21, 1e-4)])
  expect([...sums.keys()].map((span) => span - SPAN)).toEqual([0, 1, 2, 4, 5])
})

it('counts a settlement that is told twice once, and knows nothing of nothing', () => {
  expect(toEightHourSums([row(8, 1e-4), row(8, 1e-4, 5)])).toEqual(new Map([[SPAN + 1, 1e-4]]))
  expect(toEightHourSums([])).toEqual(new Map())
})
