import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createSampler } from './sampler.ts'
import { newSpanId, newTraceId } from './span.ts'

const REQUESTS = 20_000
const start = (share: number) => {
  const clock = createManualClock(0)
  return { clock, isTraced: createSampler(clock, share) }
}
const shareOf = (isTraced: () => boolean) =>
  Array.from({ length: REQUESTS }, isTraced).filter((traced) => traced).length / REQUESTS

test.each([0, 0.1, 0.5, 1])('a share of %d is traced', (share) => {
  const { isTraced } = start(share)
  const measured = shareOf(() => isTraced(newTraceId(), undefined))
  expect(Math.abs(measured - share)).toBeLessThan(share === 0 || share === 1 ? 1e-9 : 0.02)
})

test('the same trace is decided alike by all, and a larger share keeps what a smaller one has', () => {
  for (let n = 0; n < 1_000; n++) {
    const id = newTraceId()
    const [few, again, many] = [0.2, 0.2, 0.7].map((share) => start(share).isTraced(id, undefined))
    expect(again).toBe(few)
    expect(many || !few).toBe(true)
  }
})

test('the flag of the caller wins, and those who ask for more than their part get the share', () => {
  const { clock, isTraced } = start(0.1)
  const called = (isSampled: boolean) => {
    const traceId = newTraceId()
    return isTraced(traceId, { traceId, spanId: newSpanId(), isSampled })
  }
  expect(Array.from({ length: 100 }, () => called(false))).not.toContain(true)
  expect(Array.from({ length: 100 }, () => called(true))).not.toContain(false)
  expect(shareOf(() => called(true))).toBeLessThan(0.13)
  clock.advance(1_000)
  expect(Array.from({ length: 20 }, () => called(true))).not.toContain(false)
})

test('ids are those of the standard', () => {
  for (let n = 0; n < 1_000; n++) {
    expect(newTraceId()).toMatch(/^[0-9a-f]{32}$/)
    expect(newSpanId()).toMatch(/^[89ab][0-9a-f]{15}$/)
  }
})
