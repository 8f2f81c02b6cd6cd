/** At most `count` requests in any `perMs`, wherever between sending and reply the host counts them. */
export type LimitMeter = {
  /** How long until there is room; infinite while only the end of a request can make some. */
  waitMs(): number
  take(): void
  /** The reply to a request that was taken is there, or will never come. */
  end(): void
}

/**
 * A request takes its place from the moment it is sent until `perMs` after its reply. The host sees it in between, so
 * no window of `perMs` on the host's side can hold more than `count`, however unevenly the network delays them.
 */
export function createLimitMeter(
  { count, perMs }: { count: number; perMs: number },
  time: () => number,
): LimitMeter {
  // A clock in whole milliseconds may say up to one too little.
  const holdMs = perMs + 1
  const endedAt = new Float64Array(count)
  let oldest = 0
  let ended = 0
  let underWay = 0

  const forgetOld = (nowMs: number) => {
    while (ended > 0 && (endedAt[oldest] ?? 0) + holdMs <= nowMs) {
      oldest = (oldest + 1) % count
      ended--
    }
  }
  return {
    waitMs() {
      const nowMs = time()
      forgetOld(nowMs)
      if (underWay + ended < count) return 0
      return ended === 0 ? Number.POSITIVE_INFINITY : (endedAt[oldest] ?? 0) + holdMs - nowMs
    },
    take() {
      underWay++
    },
    end() {
      underWay--
      endedAt[(oldest + ended) % count] = time()
      ended++
    },
  }
}
