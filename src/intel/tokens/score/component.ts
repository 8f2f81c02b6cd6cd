import type { ScoreComponent } from '../token-analysis.ts'

type Input = {
  name: string
  weight: number
  value: number | undefined
  /** Of the weight, from 0 to 1. */
  shareOf: (value: number) => number
  whyOf: (value: number) => string
}

/** An unknown value earns nothing. */
export function component({ name, weight, value, shareOf, whyOf }: Input): ScoreComponent {
  if (value === undefined)
    return { name, value: undefined, known: 0, weight, points: 0, why: 'not known: earns nothing' }
  return { name, value, known: 1, weight, points: toPoints(weight * shareOf(value)), why: whyOf(value) }
}

/** As shown, so that the sum can be done again from what is shown. */
export const toPoints = (points: number): number => Math.round(points * 100) / 100

export const sumOfPoints = (components: readonly ScoreComponent[]): number =>
  components.reduce((sum, { points }) => sum + points, 0)

export const tenths = (value: number): number => Math.round(value * 10) / 10
