export type TimeAverage = {
  /** The value from `atMs` on. One that comes late counts from the newest time on. */
  set(value: number, atMs: number): void
  /** Over the time since the first value; right at the first value it is that value. */
  read(nowMs: number): number | undefined
  reset(): void
}

/**
 * Exponentially weighted average over time of a value that stands until the next is set. Only the time since the
 * first value, or since a reset, has weight: there is no seed.
 */
export function createTimeAverage(timeConstantMs: number): TimeAverage {
  let value = 0
  let average = 0
  // Weight of the time before the newest value, 0..1.
  let weight = 0
  let newestMs = Number.NaN

  return {
    set(next, atMs) {
      if (Number.isNaN(newestMs)) newestMs = atMs
      const elapsedMs = atMs - newestMs
      if (elapsedMs > 0) {
        const share = -Math.expm1(-elapsedMs / timeConstantMs)
        weight += (1 - weight) * share
        average += (value - average) * (share / weight)
        newestMs = atMs
      }
      value = next
    },
    read(nowMs) {
      if (Number.isNaN(newestMs)) return undefined
      const elapsedMs = nowMs - newestMs
      if (!(elapsedMs > 0)) return weight > 0 ? average : value
      const share = -Math.expm1(-elapsedMs / timeConstantMs)
      return average + (value - average) * (share / (weight + (1 - weight) * share))
    },
    reset() {
      weight = 0
      average = 0
      newestMs = Number.NaN
    },
  }
}
