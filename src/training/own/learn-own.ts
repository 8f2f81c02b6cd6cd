import { countText } from '../../core/count-text.ts'
import { DAY_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { Model } from '../../signals/model/model.ts'
import { type ChosenModel, withOwn } from '../../signals/model/own/load-own-model.ts'
import { buildDataset, type Rows } from '../history/dataset.ts'
import { EMBARGO_MS, walkForward } from '../walk-forward.ts'
import { type Comparison, compare } from './compare.ts'
import { fitOwn } from './fit-own.ts'
import type { OwnHistory } from './own-history.ts'
import { type OwnRow, ownRows } from './own-rows.ts'

/** Days of history without which nothing is tried: fewer do not tell a gain from luck. */
export const HISTORY_DAYS_NEEDED = 20
/** Days on which both models are judged, of those. */
export const JUDGED_DAYS_NEEDED = 10
/** Before the first judged window: a day to warm up, and what the first candidate is fitted to. */
const FIRST_FIT_MS = 8 * DAY_MS
/** The candidate is fitted anew for every week that it is judged on. */
const BLOCK_MS = 7 * DAY_MS

export type Lesson = {
  /** Fitted to the whole history. */
  weights: number[][]
  rows: readonly OwnRow[]
  dataset: readonly Rows[]
  comparison: Comparison
}
type Input = {
  history: OwnHistory
  /** The shipped model. */
  base: Model
  /** The one that the service runs: the shipped one, or that with what was learnt before. */
  current: Pick<ChosenModel, 'model' | 'knowsMs'>
  onStep: (label: string, done: number, all: number) => void
}

/** Learns, and judges by a walk-forward; or says why there is too little to do so. */
export function learnOwn({ history, base, current, onStep }: Input): Lesson | string {
  if (history.days < HISTORY_DAYS_NEEDED)
    return `the history has ${countText(history.days, 'day')}, and ${HISTORY_DAYS_NEEDED} are needed: let the service run on`
  const { stretches } = history
  const firstMs = Math.min(...stretches.map(({ candles }) => candles[0]?.openMs ?? Number.POSITIVE_INFINITY))
  const lastMs = Math.max(...stretches.map(({ candles }) => candles.at(-1)?.openMs ?? 0)) + MINUTE_MS
  const fromMs = Math.max(firstMs + FIRST_FIT_MS, current.knowsMs) + EMBARGO_MS
  const left = Math.floor((lastMs - fromMs) / DAY_MS)
  if (left < JUDGED_DAYS_NEEDED)
    return `${Math.max(0, left)} days of it are new to both models, and ${JUDGED_DAYS_NEEDED} are needed: let the service run on`

  const dataset = buildDataset(stretches, (done, all) => onStep('features', done, all))
  const rows = ownRows(base, history, dataset)
  const judge = (label: string, fitUntil: (untilMs: number) => Model) =>
    walkForward({
      stretches,
      dataset,
      fromMs,
      blockOf: (openMs) => Math.floor((openMs - fromMs) / BLOCK_MS),
      fitUntil,
      onBlock: (done, all) => onStep(label, done, all),
    })
  const candidate = judge('new model', (untilMs) =>
    withOwn(base, { name: 'walk-forward', weights: fitOwn(rows, untilMs) }),
  )
  if (candidate.length === 0) return 'no window can be judged: there is no day of minutes without a gap'
  const comparison = compare(
    candidate,
    judge('current model', () => current.model),
  )
  return { weights: fitOwn(rows, Number.POSITIVE_INFINITY), rows, dataset, comparison }
}

/** Why the new model is not taken; undefined where it is better by more than noise, and worse at no minute. */
export function objectionTo({ overall, byOffset }: Comparison): string | undefined {
  if (overall.days < JUDGED_DAYS_NEEDED)
    return `only ${overall.days} days could be judged, and ${JUDGED_DAYS_NEEDED} are needed`
  if (!(overall.interval[0] > 0)) return 'it is not better than the current one by more than noise'
  const worse = byOffset.filter(({ interval }) => interval[1] < 0).map(({ offsetS }) => `${offsetS} s`)
  if (worse.length > 0) return `it is worse than the current one ${worse.join(', ')} into the window`
  return undefined
}
