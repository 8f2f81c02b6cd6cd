import { expect, it } from 'vitest'
import { BAD_URLS, BREAKING, COMMANDING, STUFFED } from './hostile-services.ts'
import { createServiceWorld } from './service-world.ts'

it('has a few hundred services, among them many hostile ones', () => {
  const { services, partners } = createServiceWorld('seed')
  const isHostile = ({ url }: { url: string }) => url.includes('hostile') || BAD_URLS.includes(url)
  expect(services.length).toBeGreaterThan(200)
  expect(services.filter(isHostile)).toHaveLength(
    COMMANDING.length + STUFFED.length + BREAKING.length + BAD_URLS.length,
  )
  expect(services.filter(isHostile).length).toBeGreaterThan(30)
  expect(new Set(services.map(({ url }) => url)).size).toBe(services.length)
  expect(new Set(partners.map(({ folder }) => folder)).size).toBe(partners.length)
  expect(new Set(services.map(({ version }) => version))).toEqual(new Set([1, 2]))
})

it('follows from its seed', () => {
  expect(createServiceWorld('seed')).toEqual(createServiceWorld('seed'))
  expect(createServiceWorld('seed')).not.toEqual(createServiceWorld('other'))
})
