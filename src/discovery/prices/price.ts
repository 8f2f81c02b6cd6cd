import type { AnyProduct } from '../../catalog/catalog.ts'
import { isPaid, type PaidProduct } from '../../catalog/catalog.ts'
import type { Requirement } from '../../catalog/payment-terms.ts'
import type { Site } from '../../catalog/site.ts'
import { toAtomic, toDecimal, toUsdNumber } from '../../core/money.ts'

export const CURRENCY = 'USDC'

/** One price in every form that a document wants. */
export function priceOf({ access: { price } }: PaidProduct) {
  return {
    usdc: toUsdNumber(price),
    atomic: toAtomic(price),
    decimal: toDecimal(price),
    human: `$${withCents(toDecimal(price))}`,
  }
}

/** `0.10`, as people write a price. */
function withCents(decimal: string): string {
  const [whole, fraction = ''] = decimal.split('.')
  return `${whole}.${fraction.padEnd(2, '0')}`
}

export function costText(product: AnyProduct): string {
  if (isPaid(product)) return `${priceOf(product).human} per call, paid through x402.`
  if (product.access.kind === 'payer') return 'Free for the wallet that it is about.'
  if (product.access.kind === 'operator') return 'For the operator, by key.'
  return product.access.kind === 'wallet' ? 'Free for a wallet that has signed in.' : 'Free.'
}

/** Networks, assets and receivers do not depend on the price; any amount shows them. */
const ANY_AMOUNT = '1'

export function waysToPay({ payment }: Site): readonly Requirement[] {
  return payment.accepts(ANY_AMOUNT)
}
