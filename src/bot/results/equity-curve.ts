import { SECOND_MS } from '../../core/time/time.ts'
import { WINDOW_S } from '../../core/time/window.ts'

/** Profit of the account from its first trade up to the end of a window. */
export type CurvePoint = { atMs: number; profitE6: bigint }
/** What one point stands for: a day, or a single trade. */
export type CurveStep = { windowStartS: number; profitE6: bigint }

export const MAX_POINTS = 400

/** Sums the steps up; where there are too many, evenly spread ones are kept, the first and the last among them. */
export function toCurve(steps: readonly CurveStep[]): readonly CurvePoint[] {
  let profitE6 = 0n
  const points = steps.map((step) => {
    profitE6 += step.profitE6
    return { atMs: (step.windowStartS + WINDOW_S) * SECOND_MS, profitE6 }
  })
  if (points.length <= MAX_POINTS) return points
  const stride = (points.length - 1) / (MAX_POINTS - 1)
  return Array.from({ length: MAX_POINTS }, (_, n) => points[Math.round(n * stride)] as CurvePoint)
}
