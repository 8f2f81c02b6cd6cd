import { createRandomStream } from '../../core/math/random.ts'
import { DAY_MS } from '../../core/time/time.ts'

const RESAMPLES = 1_000
const LOWER = 0.025
const UPPER = 0.975

export type Interval = readonly [lower: number, upper: number]

/**
 * 95 % intervals of figures that are functions of sums over windows. Whole UTC days are drawn with replacement, because
 * windows of one day move together. `sums` holds `width` numbers per window.
 */
export function dayIntervalsOf(
  startsS: Float64Array,
  sums: Float64Array,
  width: number,
  figuresOf: (total: Float64Array) => readonly number[],
): Interval[] {
  const days = sumByDay(startsS, sums, width)
  const random = createRandomStream('day-bootstrap', String(width))
  const drawn: number[][] = []
  const total = new Float64Array(width)
  for (let resample = 0; resample < RESAMPLES; resample++) {
    total.fill(0)
    for (let draw = 0; draw < days.length; draw++) {
      const day = days[Math.floor(random.uniform(resample * days.length + draw) * days.length)]
      for (let at = 0; at < width; at++) total[at] = (total[at] ?? 0) + (day?.[at] ?? 0)
    }
    figuresOf(total).forEach((figure, index) => {
      drawn[index] ??= []
      drawn[index].push(figure)
    })
  }
  return drawn.map((figures) => {
    figures.sort((a, b) => a - b)
    return [quantile(figures, LOWER), quantile(figures, UPPER)]
  })
}

/** The UTC day of an epoch second. */
export function dayOf(epochS: number): number {
  return Math.floor((epochS * 1000) / DAY_MS)
}

function sumByDay(startsS: Float64Array, sums: Float64Array, width: number): Float64Array[] {
  const days = new Map<number, Float64Array>()
  startsS.forEach((startS, index) => {
    const day = dayOf(startS)
    const held = days.get(day) ?? new Float64Array(width)
    for (let at = 0; at < width; at++) held[at] = (held[at] ?? 0) + (sums[index * width + at] ?? 0)
    days.set(day, held)
  })
  return [...days.values()]
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
