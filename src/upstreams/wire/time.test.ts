import { expect, it } from 'vitest'
import { maybeTime, wireTime } from './time.ts'

const AT_MS = Date.UTC(2026, 8, 28, 17, 50, 54)

it.each([
  ['2026-09-28T17:50:54Z', AT_MS],
  ['2026-09-28 17:50:54+00', AT_MS],
  ['2026-09-28T17:50:54.337156Z', AT_MS + 337],
  ['2026-09-28T17:50:54.3Z', AT_MS + 300],
  ['2026-09-28T19:50:54+02:00', AT_MS],
  ['2026-09-28T12:20:54-0530', AT_MS],
  ['2026-09-28', Date.UTC(2026, 8, 28)],
  ['2028-02-29', Date.UTC(2028, 1, 29)],
  [AT_MS, AT_MS],
  [AT_MS / 1000, AT_MS],
  [String(AT_MS), AT_MS],
  [String(AT_MS / 1000), AT_MS],
  ['1420070400', 1_420_070_400_000],
])('reads %j', (wire, ms) => {
  expect([wireTime().parse(wire), maybeTime().parse(wire)]).toEqual([ms, ms])
})

it.each([
  ['2026-02-30T00:00:00Z'],
  ['2026-13-01'],
  ['2027-02-29'],
  ['2026-09-28T25:00:00Z'],
  ['2026-09-28T17:60:00Z'],
  // Without a zone it could be any of 26 hours.
  ['2026-09-28T17:50:54'],
  ['2026-9-28'],
  ['28 Sep 2026'],
  ['2014-12-31T23:59:59Z'],
  ['2100-01-01'],
  ['9999-12-31T23:59:59Z'],
  ['1420070399'],
  [4_102_444_800_000],
  [1.5],
  [-1],
  [JSON.parse('1e400')],
  [String(2n ** 70n)],
  ['NaN'],
  [true],
  [[]],
  [{}],
])('refuses %j', (wire) => {
  expect([wireTime().safeParse(wire).success, maybeTime().safeParse(wire).success]).toEqual([false, false])
})

it.each([[undefined], [null], [''], [0], ['0'], ['0001-01-01T00:00:00Z']])('takes %j as never', (wire) => {
  expect(maybeTime().parse(wire)).toBeUndefined()
  expect(wireTime().safeParse(wire).success).toBe(false)
})
