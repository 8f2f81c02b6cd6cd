import { expect, test } from 'vitest'
import { createCatalog } from '../catalog/catalog.ts'
import type { Site } from '../catalog/site.ts'
import { productGroups } from '../products/groups.ts'
import { testSite } from '../testing/discovery/sample-site.ts'
import { discoveryGroup } from './group.ts'
import { tourOf } from './tour.ts'

const site = testSite({ catalog: createCatalog<Site>([...productGroups, discoveryGroup]) })

test('names every paid address with its price and a command that can be copied', () => {
  const { endpoints, how_to_pay, free_trial } = tourOf(site)
  const paid = site.catalog.routes.filter(({ endpoint }) => endpoint.access.kind === 'paid')
  expect(endpoints.map(({ path }) => path)).toEqual(paid.map(({ path }) => path))
  for (const { curl_example, price_usdc, description } of endpoints) {
    expect(curl_example).toContain(`curl -i`)
    expect(curl_example).toContain(site.baseUrl)
    expect(curl_example).not.toMatch(/[{}]/)
    expect([price_usdc > 0, description.length > 0]).toEqual([true, true])
  }
  expect(Object.keys(how_to_pay)[0]).toBe('step_1')
  expect(free_trial).toContain(`${site.baseUrl}/free-trial`)
})
