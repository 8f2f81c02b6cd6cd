/** What one measurement saw. */
export type Tally = {
  answered(status: number, ms: number): void
  lost(reason: string): void
  summary(): TallySummary
}
export type TallySummary = { requests: number; p50Ms: number; p99Ms: number; errors: Record<string, number> }

const BUCKET_MS = 0.01
/** A second; what takes longer counts as that. */
const BUCKETS = 100_000

/** Counts replies with the expected status and how long they took; everything else is an error by its name. */
export function createTally(expectedStatus: number): Tally {
  const buckets = new Uint32Array(BUCKETS)
  const errors: Record<string, number> = {}
  let requests = 0
  const fail = (reason: string) => {
    errors[reason] = (errors[reason] ?? 0) + 1
  }
  return {
    answered(status, ms) {
      if (status !== expectedStatus) return fail(`status ${status}`)
      requests++
      const bucket = Math.min(BUCKETS - 1, Math.floor(ms / BUCKET_MS))
      buckets[bucket] = (buckets[bucket] ?? 0) + 1
    },
    lost: fail,
    summary: () => ({
      requests,
      p50Ms: quantile(buckets, requests, 0.5),
      p99Ms: quantile(buckets, requests, 0.99),
      errors,
    }),
  }
}

/** Upper edge of the bucket that holds the quantile. */
function quantile(buckets: Uint32Array, count: number, share: number): number {
  let left = Math.ceil(count * share)
  for (let bucket = 0; bucket < buckets.length; bucket++) {
    left -= buckets[bucket] ?? 0
    if (left <= 0) return (bucket + 1) * BUCKET_MS
  }
  return BUCKETS * BUCKET_MS
}
