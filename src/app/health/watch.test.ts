import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createKeptLog } from '../../testing/kept-log.ts'
import { createWatch, ShownFault } from './watch.ts'

const EVERY_MS = 10_000

function watched() {
  const clock = createManualClock(0)
  const log = createKeptLog()
  let answer: () => Promise<void> = async () => {}
  let probes = 0
  const watch = createWatch(
    {
      name: 'disk',
      where: { path: '/data' },
      trouble: 'cannot be written',
      everyMs: EVERY_MS,
      probe: () => {
        probes++
        return answer()
      },
    },
    { clock, log },
  )
  const next = async () => {
    clock.advance(EVERY_MS)
    // Lets the probe end, which takes a few turns of promises.
    await new Promise(setImmediate)
  }
  const become = (next: () => Promise<void>) => {
    answer = next
  }
  return { clock, log, watch, next, become, probes: () => probes }
}
const full = () => Promise.reject(Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' }))

test('one line when it fails, with the cause, and one when it is over', async () => {
  const { watch, log, next, become } = watched()
  expect(watch.latest()).toMatchObject({ isWell: false, detail: 'not asked yet', ageMs: null })
  await watch.start()
  expect(watch.latest()).toMatchObject({ isWell: true, detail: 'well', ageMs: 0 })
  become(full)
  for (let times = 0; times < 5; times++) await next()
  expect(watch.latest()).toMatchObject({
    isWell: false,
    detail: 'cannot be written (ENOSPC)',
    latencyMs: null,
  })
  become(async () => {})
  for (let times = 0; times < 3; times++) await next()
  expect(watch.latest().isWell).toBe(true)
  const facts = { dependency: 'disk', path: '/data', cause: 'ENOSPC: no space left' }
  expect(log.lines).toEqual([
    { level: 'warn', text: 'a dependency is down', ...facts },
    { level: 'info', text: 'a dependency is well again', ...facts, downMs: 5 * EVERY_MS },
  ])
  watch.stop()
})

test('what is down at the start is said at once', async () => {
  const { watch, log, become } = watched()
  become(() => Promise.reject(new ShownFault('is of chain 1')))
  await watch.start()
  expect(log.lines).toHaveLength(1)
  expect(watch.latest()).toMatchObject({ isWell: false, detail: 'is of chain 1' })
  watch.stop()
})

test('a probe that hangs is a fault, and no second one is begun beside it', async () => {
  const { watch, next, become, probes } = watched()
  await watch.start()
  become(() => new Promise(() => {}))
  await next()
  expect(watch.latest().isWell).toBe(true)
  const begun = probes()
  await next()
  expect(watch.latest()).toMatchObject({ isWell: false, detail: 'no answer in time' })
  expect(probes()).toBe(begun)
  watch.stop()
})

test('a stopped watch asks no more', async () => {
  const { watch, next, probes } = watched()
  await watch.start()
  watch.stop()
  await next()
  expect(probes()).toBe(1)
})
