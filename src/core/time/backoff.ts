/** Waits between attempts: doubling, with jitter so that clients do not come back at the same moment. */
export type Backoff = {
  nextMs(): number
  /** Call after a success: the next wait is short again. */
  reset(): void
}

export type BackoffBounds = { firstMs: number; maxMs: number }

/** Between half and all of `firstMs · 2^attempts`, never more than `maxMs`. `random` gives [0, 1). */
export function createBackoff({ firstMs, maxMs }: BackoffBounds, random: () => number): Backoff {
  let attempts = 0
  return {
    nextMs() {
      const ceiling = Math.min(maxMs, firstMs * 2 ** Math.min(attempts++, 30))
      return Math.round(ceiling * (0.5 + random() / 2))
    },
    reset() {
      attempts = 0
    },
  }
}
