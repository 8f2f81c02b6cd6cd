import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { free } from '../src/catalog/access.ts'
import { defineEndpoint } from '../src/catalog/endpoints/endpoint.ts'
import { groupOf } from '../src/testing/catalog/group-of.ts'
import { type Served, serveGroup } from '../src/testing/http/serve-groups.ts'

const moored = defineEndpoint({
  id: 'test.moored',
  method: 'GET',
  path: '/moored',
  access: free,
  summary: 'Ships in a harbour',
  description: 'How many ships lie in a harbour now.',
  params: z.object({ harbour: z.enum(['HULL', 'DEAL']), kind: z.literal('tug').default('tug') }),
  sample: { harbour: 'HULL' },
  response: z.object({ ships: z.int() }),
  example: { ships: 1 },
  handle: () => ({ ships: 1 }),
})

const BROWSER = { accept: 'text/html,*/*;q=0.8' }
let served: Served
beforeAll(async () => {
  served = await serveGroup(groupOf(moored), {} as never)
})
afterAll(() => served.close())

const pageOf = async (path: string) => (await served.ask('GET', path, BROWSER)).body

test('a choice that is none is told in our words, the same for programs', async () => {
  const page = await pageOf('/moored?harbour=dover&kind=ferry')
  expect(page).toMatch(/<li>.*harbour.* must be one of HULL, DEAL\.<\/li><li>.*kind.* must be tug\.<\/li>/)
  const { status, body } = await served.ask('GET', '/moored?harbour=dover')
  expect([status, JSON.parse(body)]).toEqual([
    422,
    { detail: [{ loc: ['query', 'harbour'], msg: 'must be one of HULL, DEAL', type: 'enum' }] },
  ])
})

test('a missing page of a set leads to those that are there', async () => {
  const page = await pageOf('/methodology/nothing')
  expect(page).toContain('<a href="/methodology/record">record</a>')
})

test('an address that is none says what a person can do, and what was probably meant', async () => {
  const page = await pageOf('/pricng')
  expect(page).toContain('Perhaps you want <a href="/pricing">/pricing</a>.')
  expect(page).not.toContain('lists every endpoint')
  expect(await pageOf('/nothing/like/it')).not.toContain('Perhaps')
})

test('who sends a payment gets JSON, whatever it accepts', async () => {
  const { headers } = await served.ask('GET', '/nothing', {
    ...BROWSER,
    ...{ 'x-payment': 'e30=', 'payment-signature': 'e31=' },
  })
  expect(headers['content-type']).toContain('application/problem+json')
})
