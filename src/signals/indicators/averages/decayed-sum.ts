export type DecayedSum = {
  /** A late term is added with the weight it would have by now; time never moves back. */
  add(term: number, atMs: number): void
  /** At `nowMs`, or at the time of the newest term if that is later. */
  read(nowMs: number): number
  reset(): void
}

/** A sum whose terms lose weight with age: after one time constant a term counts 1/e. */
export function createDecayedSum(timeConstantMs: number): DecayedSum {
  let sum = 0
  let newestMs = Number.NEGATIVE_INFINITY
  return {
    add(term, atMs) {
      const elapsedMs = atMs - newestMs
      if (elapsedMs === 0) sum += term
      else if (elapsedMs < 0) sum += term * Math.exp(elapsedMs / timeConstantMs)
      else {
        sum = sum * Math.exp(-elapsedMs / timeConstantMs) + term
        newestMs = atMs
      }
    },
    read: (nowMs) => (nowMs > newestMs ? sum * Math.exp((newestMs - nowMs) / timeConstantMs) : sum),
    reset() {
      sum = 0
      newestMs = Number.NEGATIVE_INFINITY
    },
  }
}
