import type { PaidProduct } from '../../../src/catalog/catalog.ts'
import { usd } from '../../../src/core/money.ts'

/** Two of one price: one payment must not buy both. */
export const PRICES = { cheap: 1_000, cheaper: 1_000, dear: 100_000 } as const
export type ProductId = keyof typeof PRICES

/** As far as the reader looks at them. */
const product = (id: ProductId) =>
  ({
    id,
    path: `/${id}`,
    access: { kind: 'paid', price: usd(String(PRICES[id] / 1e6)) },
  }) as unknown as PaidProduct

export const PRODUCTS: Readonly<Record<ProductId, PaidProduct>> = {
  cheap: product('cheap'),
  cheaper: product('cheaper'),
  dear: product('dear'),
}
