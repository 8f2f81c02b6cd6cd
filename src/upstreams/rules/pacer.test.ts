import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RequestLimit } from '../../config/providers.ts'
import { createManualClock, type ManualClock } from '../../core/time/manual-clock.ts'
import { searchSize } from '../../testing/search-size.ts'
import { createPacer } from './pacer.ts'

const settle = async () => {
  for (let turn = 0; turn < 4; turn++) await Promise.resolve()
}
type Arrival = { afterMs: number; path: string; travelMs: number; replyMs: number }

/** Sends each arrival through the pacer; the host sees it `travelMs` after it is sent, and we its reply `replyMs` later. */
async function run(
  limits: readonly RequestLimit[],
  arrivals: readonly Arrival[],
  clock: ManualClock,
  stepMs = 50,
) {
  const pacer = createPacer({ clock, limits })
  const seen: { path: string; atMs: number }[] = []
  let refused = 0
  let underWay = 0
  let mostUnderWay = 0
  for (const { afterMs, path, travelMs, replyMs } of arrivals) {
    for (let left = afterMs; left > 0; left -= stepMs) {
      clock.advance(Math.min(left, stepMs))
      await settle()
    }
    pacer.enter(path).then(
      (leave) => {
        mostUnderWay = Math.max(mostUnderWay, ++underWay)
        clock.after(travelMs, () => {
          seen.push({ path, atMs: clock.now() })
          clock.after(replyMs, () => {
            underWay--
            leave()
          })
        })
      },
      () => refused++,
    )
    await settle()
  }
  while (seen.length + refused < arrivals.length) {
    clock.advance(stepMs)
    await settle()
  }
  return { seen: seen.sort((a, b) => a.atMs - b.atMs), mostUnderWay }
}

/** The most requests that the host saw in any span that begins with one of them. */
function mostSeen(seen: readonly { path: string; atMs: number }[], { path, perMs }: RequestLimit): number {
  const times = seen.filter((each) => each.path.startsWith(path)).map(({ atMs }) => atMs)
  return Math.max(0, ...times.map((from, at) => times.slice(at).filter((to) => to - from <= perMs).length))
}

const limit = fc.record({
  path: fc.constantFrom('', '/a', '/a/b', '/c'),
  count: fc.integer({ min: 1, max: 12 }),
  perMs: fc.integer({ min: 1, max: 2_000 }),
})
const arrival = fc.record({
  afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 })),
  path: fc.constantFrom('/a', '/a/b', '/c', '/d'),
  travelMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 700 })),
  replyMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 })),
})

test('whatever arrives, and however the network delays it, the host never sees more than it allows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(limit, { minLength: 1, maxLength: 4 }),
      fc.array(arrival, { maxLength: 60 }),
      async (limits, arrivals) => {
        const { seen, mostUnderWay } = await run(limits, arrivals, createManualClock(0))
        for (const each of limits) expect(mostSeen(seen, each)).toBeLessThanOrEqual(each.count)
        expect(mostUnderWay).toBeLessThanOrEqual(24)
      },
    ),
    { numRuns: searchSize('pacings') },
  )
})

const at = (path: string, afterMs = 0): Arrival => ({ afterMs, path, travelMs: 0, replyMs: 0 })

test('a burst uses four fifths of a limit at once, and the rest waits for the first to leave the window', async () => {
  const burst = Array.from({ length: 12 }, () => at('/a'))
  const { seen } = await run([{ path: '', count: 10, perMs: 1_000 }], burst, createManualClock(0), 1)
  expect(seen.map(({ atMs }) => atMs)).toEqual([...Array(8).fill(0), ...Array(4).fill(1_001)])
})

test('what waits for one path does not hold up another, and keeps its order', async () => {
  const limits = [
    { path: '', count: 100, perMs: 1_000 },
    { path: '/a', count: 1, perMs: 1_000 },
  ]
  const { seen } = await run(limits, [at('/a'), at('/a/1'), at('/a/2'), at('/c')], createManualClock(0), 1)
  expect(seen).toEqual([
    { path: '/a', atMs: 0 },
    { path: '/c', atMs: 0 },
    { path: '/a/1', atMs: 1_001 },
    { path: '/a/2', atMs: 2_002 },
  ])
})

test('a clock that is set back holds nobody up for longer', async () => {
  const manual = createManualClock(0)
  let backMs = 0
  const clock = { ...manual, now: () => manual.now() - backMs }
  const pacer = createPacer({ clock, limits: [{ path: '', count: 1, perMs: 1_000 }] })
  const leave = await pacer.enter('/a')
  leave()
  backMs = 3_600_000
  let isIn = false
  pacer.enter('/a').then(() => {
    isIn = true
  })
  manual.advance(1_001)
  await settle()
  expect(isIn).toBe(true)
})

test('to leave twice frees one place', async () => {
  const clock = createManualClock(0)
  const pacer = createPacer({ clock, limits: [{ path: '', count: 3, perMs: 1_000 }] })
  const leave = await pacer.enter('/a')
  await pacer.enter('/a')
  leave()
  leave()
  clock.advance(1_001)
  let entered = 0
  for (let each = 0; each < 3; each++) pacer.enter('/a').then(() => entered++)
  await settle()
  expect(entered).toBe(1)
})
