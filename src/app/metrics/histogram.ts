import type { Family, Sample } from './family.ts'

const BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]
const BOUND_TEXTS = [...BOUNDS_MS.map((ms) => String(ms / 1_000)), '+Inf']

type Times = { inBucket: Float64Array; totalMs: number }

/** Durations by two labels. Noting one allocates nothing once its series is there: it is done at every request. */
export type Histogram = Family & {
  note(first: string, second: string, ms: number): void
  /** Tells 0 before there is anything: what appears with its first value has not increased to those who look. */
  begin(first: string, second: string): void
}

export function createHistogram(
  name: string,
  help: string,
  [first, second]: readonly [string, string],
): Histogram {
  const series = new Map<string, Map<string, Times>>()
  const timesOf = (a: string, b: string): Times => {
    let row = series.get(a)
    if (!row) {
      row = new Map()
      series.set(a, row)
    }
    let times = row.get(b)
    if (!times) {
      times = { inBucket: new Float64Array(BOUND_TEXTS.length), totalMs: 0 }
      row.set(b, times)
    }
    return times
  }
  return {
    ...{ name, help, type: 'histogram' },
    begin: (a, b) => void timesOf(a, b),
    note(a, b, ms) {
      const times = timesOf(a, b)
      let at = 0
      while (at < BOUNDS_MS.length && ms > (BOUNDS_MS[at] as number)) at++
      times.inBucket[at] = (times.inBucket[at] as number) + 1
      times.totalMs += ms
    },
    read: () =>
      [...series].flatMap(([a, row]) =>
        [...row].flatMap(([b, times]) => samplesOf(name, { [first]: a, [second]: b }, times)),
      ),
  }
}

function samplesOf(name: string, labels: Sample['labels'], { inBucket, totalMs }: Times): Sample[] {
  let count = 0
  const buckets = BOUND_TEXTS.map((le, at) => {
    count += inBucket[at] as number
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: totalMs / 1_000 },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
