import { COINS, type Coin } from '../../../src/core/coin.ts'
import { normalCdf } from '../../../src/core/math/normal-cdf.ts'
import { createRandomStream, type RandomStream } from '../../../src/core/math/random.ts'
import { WINDOW_S } from '../../../src/core/time/window.ts'
import type { Direction } from '../../../src/signals/signal.ts'

/** What will come of a window, known to nobody in it: a random walk, UP where it ends at or above its start. */
export type Course = {
  /** The true probability of UP, given the walk up to a step. */
  fairUp(step: number): number
  outcome: Direction
}

export const STEP_MS = 2_000
const STEPS = (WINDOW_S * 1000) / STEP_MS

/** A number for each window and coin: all that is random about it is drawn at this position. */
export const indexOf = (coin: Coin, startS: number): number =>
  (startS / WINDOW_S) * COINS.length + COINS.indexOf(coin)

/** More than are open at any time. */
const KEPT = 64

export function createCourses(seed: number): (coin: Coin, startS: number) => Course {
  const stream = createRandomStream(String(seed), 'course')
  const known = new Map<number, Course>()
  return (coin, startS) => {
    const index = indexOf(coin, startS)
    const course = known.get(index) ?? walk(stream, index)
    known.set(index, course)
    const [oldest] = known.keys()
    if (known.size > KEPT && oldest !== undefined) known.delete(oldest)
    return course
  }
}

function walk(stream: RandomStream, index: number): Course {
  const sums = new Float64Array(STEPS + 1)
  for (let step = 0; step < STEPS; step++)
    sums[step + 1] = (sums[step] ?? 0) + stream.normal(index * STEPS + step)
  const isUp = (sums[STEPS] ?? 0) >= 0
  return {
    fairUp(step) {
      if (step >= STEPS) return isUp ? 1 : 0
      return normalCdf((sums[Math.max(0, step)] ?? 0) / Math.sqrt(STEPS - Math.max(0, step)))
    },
    outcome: isUp ? 'UP' : 'DOWN',
  }
}
