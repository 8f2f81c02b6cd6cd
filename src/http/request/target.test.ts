import { expect, test } from 'vitest'
import { createCatalog } from '../../catalog/catalog.ts'
import { productGroups } from '../../products/groups.ts'
import { createRouter } from '../router.ts'
import { createReadTarget } from './target.ts'

const readTarget = () => createReadTarget(createRouter(createCatalog(productGroups)))
const MORE_THAN_IS_REMEMBERED = 10_000

test('what an address means is worked out once, also after a flood of addresses that nobody asks for again', () => {
  const read = readTarget()
  const honest = read('/price/BTC')
  expect(read('/price/BTC')).toBe(honest)
  for (let n = 0; n < MORE_THAN_IS_REMEMBERED; n++) read(`/price/BTC?x=${n}`)
  expect(read('/price/BTC')).toBe(honest)
})

test('a flood is forgotten, even one that asks for everything twice', () => {
  const read = readTarget()
  const first = read('/price/BTC?x=first')
  for (let n = 0; n < MORE_THAN_IS_REMEMBERED; n++) {
    read(`/price/BTC?x=${n}`)
    read(`/price/BTC?x=${n}`)
  }
  expect(read('/price/BTC?x=first')).not.toBe(first)
})
