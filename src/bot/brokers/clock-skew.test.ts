import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createClockSkew } from './clock-skew.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)

test.each([
  ['whole seconds stand for their middle', START_MS + 3_000, 3_500 - 200],
  ['milliseconds for themselves', START_MS + 3_001, 3_001 - 200],
  ['behind us', START_MS - 2_000, -1_500 - 200],
])('against the middle of the round trip: %s', async (_, toldMs, skewMs) => {
  const clock = createManualClock(START_MS)
  const read = createClockSkew({
    clock,
    async serverTimeMs() {
      clock.advance(400)
      return toldMs
    },
  })
  expect(await read()).toBe(skewMs)
})

test('is kept for half a minute, measured once for all who ask, and unknown where the venue is silent', async () => {
  const clock = createManualClock(START_MS)
  let asked = 0
  let isDown = false
  const read = createClockSkew({
    clock,
    async serverTimeMs() {
      asked++
      if (isDown) throw new Error('down')
      return clock.now() + 1
    },
  })
  expect(await Promise.all([read(), read()])).toEqual([1, 1])
  isDown = true
  clock.advance(29_999)
  expect([await read(), asked]).toEqual([1, 1])
  clock.advance(1)
  expect([await read(), asked]).toEqual([undefined, 2])
  isDown = false
  expect([await read(), asked]).toEqual([1, 3])
})
