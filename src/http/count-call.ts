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

/** A wallet that calls what is its own uses up no allowance. */
const COUNTED = { free: 'free', paid: 'paid', wallet: 'free', payer: 'free', operator: undefined } as const
/** A reply that was paid for before costs nobody anything when it is fetched again. */
const BORNE: { [via in CallVia]?: Via } = { demo: 'demo', holder: 'holder', replay: 'free' }

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
    const borne = via && BORNE[via]
    usage.record({ atMs, productId: product.id, via: borne ?? counted, status, ms })
  }
}
