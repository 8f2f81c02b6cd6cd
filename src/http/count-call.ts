import type { Endpoint } from '../catalog/catalog.ts'
import type { CallVia } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import type { UsageLog } from '../ledger/ports/usage-log.ts'

export type CountedCall = {
  product: Endpoint
  status: number
  via: CallVia | undefined
  ms: number
}
export type CountCall = (call: CountedCall) => void

const COUNTED = { free: 'free', paid: 'paid', wallet: 'holder', payer: 'free', operator: undefined } as const

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
    const counted = COUNTED[product.access.kind]
    if (counted === undefined) return
    const atMs = clock.now()
    const isFree = via === 'demo' || via === 'holder'
    usage.record({ atMs, productId: product.id, via: isFree ? via : counted, status, ms })
  }
}
