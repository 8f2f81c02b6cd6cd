import { describe, expect, test } from 'vitest'
import { createManualClock } from '../core/time/manual-clock.ts'
import { rateContract } from '../testing/access/rate-contract.ts'
import { createRateCounters } from './rate-counters.ts'

describe('counts of one process', () => {
  rateContract(async ({ now }, maxCounted) => {
    const counters = createRateCounters({ clock: { ...createManualClock(0), now }, maxCounted })
    return [counters, counters]
  })
})

test('a refused call does not count, and a crowd of clients is bounded', async () => {
  const { take } = createRateCounters({ clock: createManualClock(0) })
  const once = { name: 'once', calls: 1, windowS: 60 }
  take(once, 'first')
  for (let n = 0; n < 100_000; n++) take(once, `client ${n}`)
  expect(take(once, 'client 99999')).toMatchObject({ isOver: true })
  expect(take(once, 'first')).toMatchObject({ isOver: false })
})
