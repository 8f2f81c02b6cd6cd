import { expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import { createOpenInterestMemory } from './open-interest-memory.ts'

const NOW_MS = Date.UTC(2026, 4, 6, 13, 20)

it('takes the value nearest to a day ago, and none that is further off than an hour of history allows', () => {
  const memory = createOpenInterestMemory()
  expect(memory.dayAgo('BTC', NOW_MS)).toBeUndefined()
  memory.note('BTC', { atMs: NOW_MS - DAY_MS - 41 * MINUTE_MS, openInterest: 1 })
  expect(memory.dayAgo('BTC', NOW_MS)).toBeUndefined()
  memory.note('BTC', { atMs: NOW_MS - DAY_MS + 40 * MINUTE_MS, openInterest: 2 })
  expect(memory.dayAgo('BTC', NOW_MS)).toBe(2)
  memory.note('BTC', { atMs: NOW_MS - DAY_MS - 20 * MINUTE_MS, openInterest: 3 })
  expect(memory.dayAgo('BTC', NOW_MS)).toBe(3)
  expect(memory.dayAgo('ETH', NOW_MS)).toBeUndefined()
})

it('forgets what is older than a day and two hours', () => {
  const memory = createOpenInterestMemory()
  for (let atMs = NOW_MS - 3 * DAY_MS; atMs <= NOW_MS; atMs += MINUTE_MS)
    memory.note('BTC', { atMs, openInterest: atMs })
  expect(memory.dayAgo('BTC', NOW_MS)).toBeGreaterThan(NOW_MS - DAY_MS - HOUR_MS)
  expect(memory.dayAgo('BTC', NOW_MS - DAY_MS)).toBeUndefined()
})
