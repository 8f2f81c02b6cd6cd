import type { Head } from '../../signals/model/head.ts'
import { OFFSETS_MIN } from '../../signals/model/model.ts'
import type { Rows } from '../history/dataset.ts'
import { fitInside, fitProfile } from './fit-inside.ts'
import { fitOpening, openingSums } from './fit-opening.ts'
import { fitVolatility, type VolatilityFit, volatilitySums } from './fit-volatility.ts'
import { createNormalEquations, type NormalEquations } from './normal-equations.ts'

/** The numbers of a model, without its name and origin. */
export type Fit = { volatility: VolatilityFit; profile: number[]; heads: Head[] }

/** Fits to an ever longer past; sums are kept between fits. */
export type Fitter = {
  /** `untilMs` must not decrease between calls. Only windows that ended before it are used. */
  fitUntil(untilMs: number): Fit
}

const WINDOW_MS = 300_000

export function createFitter(all: readonly Rows[]): Fitter {
  let opening: NormalEquations | undefined
  let volatility: NormalEquations | undefined
  let summedMs = Number.NEGATIVE_INFINITY
  let last: readonly Head[] = []
  return {
    fitUntil(untilMs) {
      const isNew = (endMs: number) => endMs + WINDOW_MS > summedMs && endMs + WINDOW_MS <= untilMs
      opening = sumAll(all, opening, (rows) => openingSums(rows, isNew))
      volatility = sumAll(all, volatility, (rows) => volatilitySums(rows, isNew))
      summedMs = untilMs
      const isPast = (endMs: number) => endMs + WINDOW_MS <= untilMs
      const forecast = fitVolatility(volatility)
      const profile = fitProfile(all, forecast, isPast)
      const heads = OFFSETS_MIN.map((offset) =>
        offset === 0
          ? fitOpening(opening as NormalEquations)
          : fitInside(all, offset, { volatility: forecast, profile, start: last[offset] }, isPast),
      )
      last = heads
      return { volatility: forecast, profile, heads }
    },
  }
}

function sumAll(
  all: readonly Rows[],
  before: NormalEquations | undefined,
  sumsOf: (rows: Rows) => NormalEquations,
): NormalEquations {
  const parts = all.map(sumsOf)
  const [first] = parts
  if (!first) throw new Error('no history to fit to')
  const total = before ?? createNormalEquations(first.width)
  for (const part of parts) total.merge(part)
  return total
}
