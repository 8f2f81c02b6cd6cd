import { expect, test } from 'vitest'
import { sampleUptime } from '../../testing/products/sample-status.ts'
import { createKeptDays } from './kept-days.ts'
import type { Measured } from './part-days.ts'

const [sample] = sampleUptime.parts as [Measured]
const copy = (changed: Partial<Measured> = {}): Measured => ({ ...structuredClone(sample), ...changed })

test('days are drawn once for a measurement', () => {
  const daysOf = createKeptDays()
  const drawn = daysOf(copy(), '2026-01-04')
  expect(daysOf(copy(), '2026-01-04')).toBe(drawn)
  // Latency is told beside the days, not in them.
  expect(daysOf(copy({ mean_latency_ms: 9 }), '2026-01-04')).toBe(drawn)
})

test.each<Partial<Measured>>([
  { fraction: 0.5 },
  { checks: 1 },
  { measured_days: 1 },
  { day_fractions: [0.5, 1] },
  { day_checks: [1_440, 721] },
  { day_degraded: [0, 1] },
  { day_degraded: [0] },
])('are drawn anew for %j', (changed) => {
  const daysOf = createKeptDays()
  const drawn = daysOf(copy(), '2026-01-04')
  expect(daysOf(copy(changed), '2026-01-04')).not.toBe(drawn)
})

test('each part has its own, and another first day is another picture', () => {
  const daysOf = createKeptDays()
  const drawn = daysOf(copy(), '2026-01-04')
  expect(daysOf(copy({ name: 'disk' }), '2026-01-04')).not.toBe(drawn)
  expect(daysOf(copy(), '2026-01-04')).toBe(drawn)
  expect(daysOf(copy(), '2026-01-05').picture.markup).not.toBe(drawn.picture.markup)
})

test('names without end are not kept', () => {
  const daysOf = createKeptDays()
  const drawn = daysOf(copy(), '2026-01-04')
  for (let n = 0; n < 1_000; n++) daysOf(copy({ name: `p${n}` }), '2026-01-04')
  expect(daysOf(copy(), '2026-01-04')).not.toBe(drawn)
})
