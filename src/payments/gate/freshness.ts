import type { AnyProduct } from '../../catalog/catalog.ts'
import type { EncodedReply } from '../../catalog/encoded-reply.ts'
import { ServiceError } from '../../core/service-error.ts'

/** Fresh or not delivered: the product's own bound, which the caller may tighten but never widen. */
export function requireFresh(
  product: AnyProduct,
  reply: EncodedReply,
  nowMs: number,
  maxAgeMs: number | undefined,
): void {
  if (reply.asOfMs === undefined) return
  const boundMs = Math.min(
    product.freshForMs ?? Number.POSITIVE_INFINITY,
    maxAgeMs ?? Number.POSITIVE_INFINITY,
  )
  const ageMs = nowMs - reply.asOfMs
  if (ageMs <= boundMs) return
  throw new ServiceError(
    'stale_data',
    `the data is ${ageMs} ms old and the bound is ${boundMs} ms; nothing was charged`,
    {
      hint: 'retry shortly, or ask with a larger max_age',
      retryAfterS: 1,
    },
  )
}
