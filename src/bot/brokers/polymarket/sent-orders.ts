/** Which orders may have been sent before. */
export type SentOrders = {
  /** True where this is certainly the first time. */
  add(orderId: string, createdMs: number): boolean
}

const MAX_KEPT = 10_000

/** An order that was planned before this process, or in the same millisecond, may have been sent by one before it. */
export function createSentOrders(startedMs: number): SentOrders {
  const sent = new Set<string>()
  return {
    add(orderId, createdMs) {
      const isFirst = createdMs > startedMs && !sent.has(orderId)
      sent.add(orderId)
      const [oldest] = sent
      if (sent.size > MAX_KEPT && oldest !== undefined) sent.delete(oldest)
      return isFirst
    },
  }
}
