import { expect, test } from 'vitest'
import { createCatalog } from '../../catalog/catalog.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { productGroups } from '../../products/groups.ts'
import { createChallenges } from './challenge.ts'
import { createTerms } from './terms.ts'

const payment = createTerms({ evm: `0x${'ab'.repeat(20)}` })
const offers = { extension: () => undefined }
const ports = { mode: 'live', baseUrl: 'https://a.example', payment, offers } as const

test('the schema of a product is turned into words once, however many addresses ask for its price', () => {
  const [route] = createCatalog(productGroups).routes.filter(({ path }) => path === '/discover')
  if (!route) throw new Error('there is no such route')
  let reads = 0
  const { endpoint } = route
  const counting = new Proxy(endpoint, {
    get(of, name, self) {
      if (name === 'params') reads++
      return Reflect.get(of, name, self)
    },
  })
  const { challenge } = createChallenges({ ...ports, clock: createManualClock(0) })
  const counted = { ...route, endpoint: counting }
  const made = Array.from({ length: 20 }, (_, n) => challenge(counted, `/discover?q=${n}`, 2))
  expect(reads).toBe(1)
  const bodies = made.map(({ body }) => JSON.parse(body))
  expect(new Set(bodies.map(({ resource }) => resource.url)).size).toBe(20)
  for (const { extensions } of bodies) expect(extensions.bazaar).toEqual(bodies[0].extensions.bazaar)
})
