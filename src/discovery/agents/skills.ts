import type { AnyProduct, Catalog } from '../../catalog/catalog.ts'

/** What an agent can ask for in a message: everything that a GET brings to anybody, free or paid. */
export function skillProducts({ products }: Catalog): readonly AnyProduct[] {
  const isOpen = ({ access }: AnyProduct) => access.kind === 'paid' || access.kind === 'free'
  const open = products.filter((product) => product.method === 'GET' && isOpen(product))
  return [...open.filter(isSold), ...open.filter((product) => !isSold(product))]
}

const isSold = ({ access }: AnyProduct) => access.kind === 'paid'
