export type TimeAverage = {
  /** The value from `atMs` on. A late one replaces the newest at the time of that one. */
  set(value: number, atMs: number): void
  /** Undefined until values have been held for one time constant. */
  read(nowMs: number): number | undefined
  reset(): void
}

/**
 * Exponentially weighted average over time of a value that stands until the next is set. Weights are those of the
 * time seen so far: no seed, so nothing from before the first value or a reset is left in it.
 */
export function createTimeAverage(timeConstantMs: number): TimeAverage {
  let value = 0
  let average = 0
  // What the time before the newest value weighs, 1 for all eternity.
  let weight = 0
  let firstMs = Number.NaN
  let newestMs = Number.NaN

  return {
    set(next, atMs) {
      if (Number.isNaN(firstMs)) firstMs = newestMs = atMs
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
      // Also false while there is no value, or no number to compare.
      if (!(Math.max(nowMs, newestMs) - firstMs >= timeConstantMs)) return undefined
      const elapsedMs = nowMs - newestMs
      if (elapsedMs <= 0) return average
      const share = -Math.expm1(-elapsedMs / timeConstantMs)
      return average + (value - average) * (share / (weight + (1 - weight) * share))
    },
    reset() {
      weight = 0
      average = 0
      firstMs = newestMs = Number.NaN
    },
  }
}
