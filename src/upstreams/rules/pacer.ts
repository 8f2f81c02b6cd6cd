import type { RequestLimit } from '../../config/providers.ts'
import type { Clock } from '../../core/time/clock.ts'
import { createSteadyTime } from '../../core/time/steady-time.ts'
import { createLimitMeter, type LimitMeter } from './limit-meter.ts'

/** Share of a published limit that we use: other processes behind our address count too. */
const USED_SHARE = 0.8
/** Requests to one provider at the same time. */
const MAX_UNDER_WAY = 24
/** Requests that wait for room; more are refused at once. */
const MAX_WAITING = 200
/** A request that waited this long is refused: what it asks for is wanted now. */
const MAX_PACE_WAIT_MS = 5_000

/** Lets requests through as the limits of their paths allow, first come, first served among those for one path. */
export type Pacer = {
  /** Resolves when the request may be sent, with what to call at its end. Rejects with `NoRoom`. */
  enter(path: string): Promise<() => void>
  /** Rejects those who wait. */
  close(): void
}

/** The request was not sent, because of our own bounds. */
export class NoRoom extends Error {}

type Waiting = { meters: readonly LimitMeter[]; go(): void; refuse(why: string): void }

export function createPacer({ clock, limits }: { clock: Clock; limits: readonly RequestLimit[] }): Pacer {
  const time = createSteadyTime(clock)
  const meters = limits.map(({ path, count, perMs }) => ({
    path,
    meter: createLimitMeter({ count: Math.max(1, Math.floor(count * USED_SHARE)), perMs }, time),
  }))
  const waiting = new Set<Waiting>()
  let underWay = 0
  let cancelTimer = () => {}

  const end = (taken: readonly LimitMeter[]) => {
    underWay--
    for (const meter of taken) meter.end()
    letThrough()
  }
  const letThrough = () => {
    cancelTimer()
    let soonestMs = Number.POSITIVE_INFINITY
    for (const each of waiting) {
      if (underWay >= MAX_UNDER_WAY) return
      const waitMs = Math.max(0, ...each.meters.map((meter) => meter.waitMs()))
      if (waitMs > 0) {
        soonestMs = Math.min(soonestMs, waitMs)
        continue
      }
      underWay++
      for (const meter of each.meters) meter.take()
      each.go()
    }
    if (Number.isFinite(soonestMs)) cancelTimer = clock.after(soonestMs, letThrough)
  }
  return {
    async enter(path) {
      if (waiting.size >= MAX_WAITING) throw new NoRoom('too many requests are waiting for it')
      const matching = meters.filter((each) => path.startsWith(each.path)).map(({ meter }) => meter)
      await wait(clock, waiting, matching, letThrough)
      return once(() => end(matching))
    },
    close() {
      cancelTimer()
      for (const each of waiting) each.refuse('closed')
    },
  }
}

function wait(
  clock: Clock,
  waiting: Set<Waiting>,
  meters: readonly LimitMeter[],
  letThrough: () => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      cancelLate()
      waiting.delete(each)
    }
    const each: Waiting = {
      meters,
      go() {
        leave()
        resolve()
      },
      refuse(why) {
        leave()
        reject(new NoRoom(why))
      },
    }
    const cancelLate = clock.after(MAX_PACE_WAIT_MS, () =>
      each.refuse(`its limits left no room for ${MAX_PACE_WAIT_MS / 1000} s`),
    )
    waiting.add(each)
    letThrough()
  })
}

function once(task: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    task()
  }
}
