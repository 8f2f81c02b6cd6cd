import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createPurchaseIds } from './purchase-id.ts'

const NOW_MS = Date.UTC(2026, 0, 5, 12)

test('ids are 32 hex digits, all different, and in the order of time', () => {
  const clock = createManualClock(NOW_MS)
  const { id } = createPurchaseIds(clock)
  const first = Array.from({ length: 1_000 }, id)
  clock.advance(1)
  const second = Array.from({ length: 1_000 }, id)
  const all = [...first, ...second]
  expect(new Set(all).size).toBe(2_000)
  for (const each of all) expect(each).toMatch(/^[0-9a-f]{32}$/)
  expect(Number.parseInt((first[0] as string).slice(0, 12), 16)).toBe(NOW_MS)
  expect((first.sort().at(-1) as string) < (second.sort()[0] as string)).toBe(true)
})

test('all but the time of an id is random', () => {
  const { id } = createPurchaseIds(createManualClock(NOW_MS))
  const ids = Array.from({ length: 2_000 }, id)
  for (let at = 12; at < 32; at++) expect(new Set(ids.map((each) => each[at])).size).toBe(16)
})
