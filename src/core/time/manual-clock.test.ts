import { expect, test } from 'vitest'
import { sleep } from './clock.ts'
import { createManualClock } from './manual-clock.ts'

test('tasks run in order of their time, at their time, and may make new ones', () => {
  const clock = createManualClock(1_000)
  const seen: [string, number][] = []
  const note = (name: string) => () => seen.push([name, clock.now()])
  clock.after(30, note('late'))
  clock.after(10, () => {
    note('early')()
    clock.after(5, note('nested'))
  })
  const stop = clock.every(12, note('tick'))
  clock.advance(25)
  stop()
  clock.advance(100)
  expect(seen).toEqual([
    ['early', 1_010],
    ['tick', 1_012],
    ['nested', 1_015],
    ['tick', 1_024],
    ['late', 1_030],
  ])
  expect(clock.now()).toBe(1_125)
})

test('a cancelled task does not run', () => {
  const clock = createManualClock(0)
  let runs = 0
  clock.after(1, () => runs++)()
  clock.advance(10)
  expect(runs).toBe(0)
})

test('sleep ends with the time or with the signal', async () => {
  const clock = createManualClock(0)
  const abort = new AbortController()
  const slept = sleep(clock, 50)
  const aborted = sleep(clock, 1_000_000, abort.signal)
  clock.advance(50)
  abort.abort()
  await Promise.all([slept, aborted, sleep(clock, 1_000_000, abort.signal)])
})
