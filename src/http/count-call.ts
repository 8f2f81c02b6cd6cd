import type { Endpoint } from '../catalog/catalog.ts'
import type { CallVia } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import type { UsageLog, Via } from '../ledger/ports/usage-log.ts'

export type CountedCall = {
  product: Endpoint
  status: number
  via: CallVia | undefined
  ms: number
}
export type CountCall = (call: CountedCall) => void

/** Nobody bears the cost of the rest: what is free, what failed, and a reply that was paid for before. */
const BORNE: { [via in CallVia]?: Via } = { paid: 'paid', demo: 'demo', holder: 'holder' }

/**
 * What became of a call of a product, and how long it took. A call that was only told the price is none, and what the
 * operator does is in the audit log.
 */
export function createCountCall({
  usage,
  clock,
}: {
  usage: Pick<UsageLog, 'record'>
  clock: Clock
}): CountCall {
  return ({ product, status, via, ms }) => {
    if (product.kind !== 'product' || status === 402) return
    if (product.access.kind === 'operator') return
    const borne = via && BORNE[via]
    usage.record({ atMs: clock.now(), productId: product.id, via: borne ?? 'free', status, ms })
  }
}
