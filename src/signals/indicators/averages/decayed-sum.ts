export type DecayedSum = {
  /** A late term counts with the weight that its age has left it; time never moves back. */
  add(term: number, atMs: number): void
  /** As of `nowMs`, or of the newest term when that is later. */
  read(nowMs: number): number
}

/** A sum whose terms lose weight with age: one time constant leaves 1/e of it. */
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
  }
}
