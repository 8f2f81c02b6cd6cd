import type { Tool } from '@modelcontextprotocol/server'
import { type AnyProduct, isPaid } from '../catalog/catalog.ts'
import { toJsonSchema } from '../catalog/json-schema.ts'
import { PaymentParams } from '../catalog/payment-params.ts'
import { describeLimit } from '../catalog/rate-limit.ts'
import type { Site } from '../catalog/site.ts'
import { costText } from '../discovery/prices/price.ts'

/** Every product that names a tool, by that name, in the order of the catalog. */
export function toolProducts({ catalog }: Pick<Site, 'catalog'>): ReadonlyMap<string, AnyProduct> {
  return new Map(
    catalog.products.flatMap((product) => (product.tool === undefined ? [] : [[product.tool, product]])),
  )
}

/** Accepted by every paid tool beside its own arguments; in words of tools, where HTTP has statuses. */
const STEERING = {
  max_age: PaymentParams.shape.max_age.describe(
    'Oldest data you will pay for, in seconds; older data is a tool error and not charged',
  ),
  demo: PaymentParams.shape.demo.describe('0 asks for the payment terms, without using a free call'),
}
/** Who describes a product that has several bounds says each of them. */
const TELLS_AGE = /\b(old|older)\b/

/**
 * No `outputSchema`: stock clients check `structuredContent` against it even when it holds the terms of a payment, and
 * then show neither.
 */
export function describeTool(site: Site, name: string, product: AnyProduct): Tool {
  const params = isPaid(product) ? product.params.extend(STEERING) : product.params
  const { type: _, ...schema } = toJsonSchema(params, 'input')
  return {
    name,
    title: product.summary,
    description: `${product.description} ${termsOf(site, product)}`,
    inputSchema: { type: 'object', ...schema, additionalProperties: false },
    annotations: { title: product.summary, readOnlyHint: true, destructiveHint: false, openWorldHint: true },
  }
}

function termsOf({ demoCallsPerDay }: Site, product: AnyProduct): string {
  const { freshForMs, limit } = product
  const isForSale = isPaid(product)
  return [
    costText(product),
    isForSale && demoCallsPerDay > 0
      ? `${demoCallsPerDay} calls a day of all paid tools together are free.`
      : '',
    isForSale ? 'A call that fails costs nothing.' : '',
    freshForMs === undefined || TELLS_AGE.test(product.description)
      ? ''
      : `Data is at most ${freshForMs / 1000} s old.`,
    limit ? `At most ${describeLimit(limit)}.` : '',
  ]
    .filter((part) => part !== '')
    .join(' ')
}
