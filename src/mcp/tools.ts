import type { Tool } from '@modelcontextprotocol/server'
import { type AnyProduct, isPaid } from '../catalog/catalog.ts'
import { toJsonSchema } from '../catalog/json-schema.ts'
import { describeLimit } from '../catalog/rate-limit.ts'
import type { Site } from '../catalog/site.ts'
import { costText } from '../discovery/prices/price.ts'

/** Every product that names a tool, by that name, in the order of the catalog. */
export function toolProducts({ catalog }: Pick<Site, 'catalog'>): ReadonlyMap<string, AnyProduct> {
  return new Map(
    catalog.products.flatMap((product) => (product.tool === undefined ? [] : [[product.tool, product]])),
  )
}

/**
 * No `outputSchema`: stock clients check `structuredContent` against it even when it holds the terms of a payment, and
 * then show neither.
 */
export function describeTool(site: Site, name: string, product: AnyProduct): Tool {
  const { type: _, ...schema } = toJsonSchema(product.params, 'input')
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
    freshForMs === undefined ? '' : `Data is at most ${freshForMs / 1000} s old.`,
    limit ? `At most ${describeLimit(limit)}.` : '',
  ]
    .filter((part) => part !== '')
    .join(' ')
}
