/** What the venue allows one signer on order routes: a burst, and a steady rate after it. */
export const ORDER_BURST = 350
const ORDERS_PER_SECOND = 60
const MAX_SIGNERS = 1_000

/**
 * A token bucket for each signer; false when it is empty. A list of cancels may be longer than the burst: it needs a
 * full bucket and leaves a debt, so that the steady rate holds.
 */
export function createOrderBudget(nowMs: () => number): (signer: string, count: number) => boolean {
  const buckets = new Map<string, { left: number; atMs: number }>()
  return (signer, count) => {
    const atMs = nowMs()
    const last = buckets.get(signer) ?? { left: ORDER_BURST, atMs }
    const refill = (Math.max(0, atMs - last.atMs) / 1000) * ORDERS_PER_SECOND
    const left = Math.min(ORDER_BURST, last.left + refill)
    if (!buckets.delete(signer) && buckets.size >= MAX_SIGNERS)
      buckets.delete(buckets.keys().next().value ?? '')
    const isAllowed = left >= Math.min(count, ORDER_BURST)
    buckets.set(signer, { left: isAllowed ? left - count : left, atMs })
    return isAllowed
  }
}
