import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'

export const FLOW_SPANS = { '1h': HOUR_MS, '24h': DAY_MS } as const
export type FlowSpan = keyof typeof FLOW_SPANS

/** What went onto exchanges and off them. `transfers` counts the transactions that did either. */
export type FlowSum = { inUsd: number; outUsd: number; transfers: number }

/** Flows of one token in slots of a minute, so that a busy day takes no more memory than a quiet one. */
export type ExchangeFlows = {
  add(flow: { atMs: number; inUsd: number; outUsd: number }): void
  sum(span: FlowSpan, nowMs: number): FlowSum
}

export function createExchangeFlows(): ExchangeFlows {
  const slots = new Map<number, FlowSum>()
  const forget = (nowMs: number) => {
    for (const slot of slots.keys()) if (slot * MINUTE_MS < nowMs - DAY_MS - MINUTE_MS) slots.delete(slot)
  }
  let newestMs = Number.NEGATIVE_INFINITY
  return {
    add({ atMs, inUsd, outUsd }) {
      if (inUsd === 0 && outUsd === 0) return
      newestMs = Math.max(newestMs, atMs)
      const slot = Math.floor(atMs / MINUTE_MS)
      const sum = slots.get(slot)
      if (sum) {
        sum.inUsd += inUsd
        sum.outUsd += outUsd
        sum.transfers++
      } else {
        slots.set(slot, { inUsd, outUsd, transfers: 1 })
        forget(newestMs)
      }
    },
    sum(span, nowMs) {
      const total: FlowSum = { inUsd: 0, outUsd: 0, transfers: 0 }
      // A slot belongs to the span as long as its last millisecond does.
      const firstSlot = Math.floor((nowMs - FLOW_SPANS[span]) / MINUTE_MS)
      for (const [slot, each] of slots) {
        if (slot < firstSlot || slot * MINUTE_MS > nowMs) continue
        total.inUsd += each.inUsd
        total.outUsd += each.outUsd
        total.transfers += each.transfers
      }
      return total
    },
  }
}
