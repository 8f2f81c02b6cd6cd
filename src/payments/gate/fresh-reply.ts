import type { AnyProduct } from '../../catalog/catalog.ts'
import type { EncodedReply } from '../../catalog/encoded-reply.ts'
import type { Paid, PaidMint } from '../../catalog/paid.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'

/** Makes the data of a product; it wants proof that the gate let the caller in. */
export type Work = (paid: Paid) => EncodedReply | Promise<EncodedReply>
type Ports = { clock: Clock; mint: PaidMint['mint'] }

/** Throws `stale_data` where the reply is older than the product allows, or than the caller does with `maxAgeMs`. */
export async function makeFreshReply(
  { clock, mint }: Ports,
  product: AnyProduct,
  work: Work,
  maxAgeMs: number | undefined,
): Promise<EncodedReply> {
  const reply = await work(mint(product.id))
  if (reply.asOfMs === undefined) return reply
  const boundMs = boundOf(product, maxAgeMs)
  const ageMs = clock.now() - reply.asOfMs
  if (ageMs <= boundMs) return reply
  throw new ServiceError(
    'stale_data',
    `the data is ${ageMs} ms old and the bound is ${boundMs} ms; nothing was charged`,
    {
      hint: 'retry shortly, or ask with a larger max_age',
      retryAfterS: 1,
    },
  )
}

/** What the product allows, or the caller with `maxAgeMs`. */
const boundOf = (
  { freshForMs = Number.POSITIVE_INFINITY }: AnyProduct,
  maxAgeMs = Number.POSITIVE_INFINITY,
) => Math.min(freshForMs, maxAgeMs)

export const createIsFresh =
  (clock: Clock, product: AnyProduct, maxAgeMs: number | undefined) =>
  (asOfMs: number): boolean =>
    clock.now() - asOfMs <= boundOf(product, maxAgeMs)
