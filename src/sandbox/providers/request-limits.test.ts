import { expect, it } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createRequestLimits } from './request-limits.ts'

const START_MS = Date.UTC(2026, 4, 6)
const of = (limits: ReturnType<typeof createRequestLimits>, provider: string, path: string) =>
  limits.usage().find((usage) => usage.provider === provider && usage.path === path)

it('lets through what is published in any window, and says when to come back', () => {
  const clock = createManualClock(START_MS)
  const limits = createRequestLimits(clock.now)
  const submit = () => limits.take('relayer', '/submit')?.status
  for (let count = 0; count < 25; count++) {
    expect(submit()).toBeUndefined()
    clock.advance(1_000)
  }
  // The first was 25 s ago; a minute after it there is room for one.
  expect(submit()).toBe(429)
  expect(limits.take('relayer', '/submit')?.headers).toMatchObject({ 'retry-after': '35' })
  clock.advance(34_999)
  expect(submit()).toBe(429)
  clock.advance(1)
  expect([submit(), submit()]).toEqual([undefined, 429])
  expect(of(limits, 'relayer', '/submit')).toEqual({
    provider: 'relayer',
    path: '/submit',
    limit: 25,
    perMs: 60_000,
    largest: 26,
    refused: 4,
  })
})

it('counts a request against every limit that its path begins with', () => {
  const limits = createRequestLimits(() => START_MS)
  for (let count = 0; count < 300; count++) limits.take('gamma', '/markets/slug/x')
  expect(limits.take('gamma', '/markets')?.status).toBe(429)
  expect(limits.take('gamma', '/events')).toBeUndefined()
  expect(of(limits, 'gamma', '/markets')).toMatchObject({ largest: 301, refused: 1 })
  expect(of(limits, 'gamma', '/events')).toMatchObject({ largest: 1, refused: 0 })
  expect(of(limits, 'gamma', '')).toMatchObject({ largest: 302, refused: 0 })
  expect(limits.take('binance', '/api/v3/ping')).toBeUndefined()
  expect(limits.take('constructor', '/')).toBeUndefined()
})
