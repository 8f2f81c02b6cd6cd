import { dayIntervalsOf, dayOf, type Interval } from '../../backtest/metrics/day-bootstrap.ts'
import type { OutOfSample } from '../walk-forward.ts'

/** How much less log loss one model has than another on the same predictions; above 0 it is better. */
export type Gain = { count: number; days: number; gain: number; interval: Interval; logLoss: number }
export type Comparison = { overall: Gain; byOffset: readonly (Gain & { offsetS: number })[] }

const TINY = 1e-12
const NONE: Interval = [Number.NaN, Number.NaN]

/** Both lists hold the same windows and moments in the same order. Whole days are drawn, in pairs. */
export function compare(candidate: readonly OutOfSample[], current: readonly OutOfSample[]): Comparison {
  const pairs = candidate.map((row, at) => {
    const rival = current[at]
    if (!rival || keyOf(rival) !== keyOf(row)) throw new Error('two models were judged on different windows')
    const loss = lossOf(row)
    return { row, loss, gain: lossOf(rival) - loss }
  })
  const offsets = [...new Set(candidate.map(({ offsetS }) => offsetS))].sort((a, b) => a - b)
  return {
    overall: gainOf(pairs),
    byOffset: offsets.map((offsetS) => ({
      offsetS,
      ...gainOf(pairs.filter(({ row }) => row.offsetS === offsetS)),
    })),
  }
}

type Pair = { row: OutOfSample; loss: number; gain: number }

function gainOf(pairs: readonly Pair[]): Gain {
  const startsS = Float64Array.from(pairs, ({ row }) => row.windowStartS)
  const sums = Float64Array.from(pairs.flatMap(({ gain }) => [1, gain]))
  const mean = (of: (pair: Pair) => number) => pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length
  const [interval = NONE] = dayIntervalsOf(startsS, sums, 2, ([count = 0, gain = 0]) => [gain / count])
  return {
    count: pairs.length,
    days: new Set(Array.from(startsS, dayOf)).size,
    gain: mean(({ gain }) => gain),
    interval,
    logLoss: mean(({ loss }) => loss),
  }
}

const keyOf = ({ coin, windowStartS, offsetS }: OutOfSample) => `${coin} ${windowStartS} ${offsetS}`

function lossOf({ probabilityUp, isUp }: OutOfSample): number {
  return -Math.log(Math.max(TINY, isUp ? probabilityUp : 1 - probabilityUp))
}
