/** Waits between attempts: doubling, with jitter so that clients do not reconnect at the same moment. */
export type Backoff = {
  nextMs(): number
  /** Call after a success: the next wait is short again. */
  reset(): void
}

export type BackoffBounds = { firstMs: number; maxMs: number }

/** For connections. The longest wait, and one that hangs after it, end within 30 s of an outage. */
export const CONNECT_BOUNDS: BackoffBounds = { firstMs: 250, maxMs: 10_000 }

/** For streams, which share a connection with its own waits. */
export const STREAM_BOUNDS: BackoffBounds = { firstMs: 250, maxMs: 5_000 }

/** For requests that are repeated until they succeed. */
export const RETRY_BOUNDS: BackoffBounds = { firstMs: 500, maxMs: 10_000 }

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
