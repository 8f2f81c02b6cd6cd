import { findSpread, type Spread } from '../harness/spread.ts'

/** A figure of every round and what it should be. */
export type Goal = { name: string; unit: string; digits: number; atLeast?: number; below?: number }
export type Judged = Goal & { figure: Spread; holds: boolean | undefined }

/** Judged by the median of the rounds; without a bound it is only shown. */
export function judge(goal: Goal, figures: readonly number[]): Judged {
  const figure = findSpread(figures)
  if (!figure) throw new Error(`${goal.name} was not measured`)
  const { atLeast, below } = goal
  if (atLeast === undefined && below === undefined) return { ...goal, figure, holds: undefined }
  const holds =
    figure.median >= (atLeast ?? Number.NEGATIVE_INFINITY) &&
    figure.median < (below ?? Number.POSITIVE_INFINITY)
  return { ...goal, figure, holds }
}
