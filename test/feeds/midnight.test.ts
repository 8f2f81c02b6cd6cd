import { expect, test } from 'vitest'
import { openWorld } from './world.ts'

test.each([2, 119])('a start %d minutes after midnight UTC finds its whole history', async (minutes) => {
  const startMs = Date.UTC(2026, 0, 5, 0, minutes)
  let lost = 0
  const read = new Set<string>()
  await using world = await openWorld({
    startMs,
    spy: (sink) => ({
      ...sink,
      kline(kline) {
        read.add(`${kline.venue} ${kline.coin} ${kline.openMs}`)
        sink.kline(kline)
      },
      minuteLost(minute) {
        lost++
        sink.minuteLost(minute)
      },
    }),
  })
  // Long enough for a venue to deny a minute three times.
  for (let second = 1; second <= 60; second++) await world.stepTo(startMs + second * 1000)
  expect(lost).toBe(0)
  expect(read.size).toBeGreaterThanOrEqual(8 * 26 * 60)
})
