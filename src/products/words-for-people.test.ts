import { describe, expect, test } from 'vitest'
import type { AnyParams, ProductOf } from '../catalog/endpoints/endpoint.ts'
import { productGroups } from './groups.ts'

const sold = productGroups
  .flatMap((group): readonly { kind: string }[] => group.endpoints)
  .filter((endpoint): endpoint is ProductOf<never> => endpoint.kind === 'product')
  .filter(({ access }) => access.kind === 'paid')

const sampleOf = ({ params, sample }: ProductOf<never>) => params.parse(sample) as AnyParams

/** Codes, names of fields and params, and what only programs meet. */
const JARGON = /\d{3}\b(?<!100)|\bnull\b|[a-z]_[a-z]|\bx402\b|\bparam|=/

describe.each(sold.map((product) => [product.id, product] as const))('%s', (_id, product) => {
  test('has a title of what was asked for and says plainly what it brings', () => {
    const title = product.title?.(sampleOf(product)) ?? ''
    expect(title).toMatch(/^\S.{5,80}[^.]$/)
    expect(product.brings).toMatch(/^[A-Z].{20,150}\.$/)
    expect(product.brings).not.toMatch(JARGON)
  })
})

test('every product that is sold is looked at', () => {
  expect(sold.length).toBeGreaterThan(20)
})
