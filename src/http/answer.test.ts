import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { paid } from '../catalog/access.ts'
import { defineEndpoint } from '../catalog/endpoints/endpoint.ts'
import { usd } from '../core/money.ts'
import { groupOf } from '../testing/catalog/group-of.ts'
import { type Served, serveGroup } from '../testing/http/serve-groups.ts'

const broken = defineEndpoint({
  id: 'test.broken',
  method: 'GET',
  path: '/broken',
  access: paid(usd('0.01')),
  summary: 'Breaks',
  description: 'Breaks whenever it is asked for, in a way that nobody expected.',
  params: z.object({}),
  sample: {},
  response: z.object({}),
  example: {},
  checkExists: () => {
    throw new Error('disk full')
  },
  handle: () => ({}),
})

let served: Served
beforeAll(async () => {
  served = await serveGroup(groupOf(broken), {} as never, { demoCalls: 1 })
})
afterAll(() => served.close())

const problemOf = async (method: string, headers: Record<string, string>) => {
  const { status, headers: told, body } = await served.ask(method, '/broken', headers)
  return { status, retryAfter: told['retry-after'], ...(body && { hint: JSON.parse(body).hint }) }
}

test.each(['PAYMENT-SIGNATURE', 'X-PAYMENT'])(
  'a 500 with %s says to send the same payment again',
  async (name) => {
    expect(await problemOf('GET', { [name]: 'e30=' })).toEqual({
      status: 500,
      retryAfter: '2',
      hint: 'send the same request with the same payment again; do not sign a new one',
    })
  },
)

test('a 500 without a payment says nothing of one', async () => {
  const { status, hint } = await problemOf('GET', {})
  expect([status, hint]).toEqual([500, expect.not.stringContaining('payment')])
  expect(await problemOf('HEAD', { 'X-PAYMENT': 'e30=' })).toEqual({ status: 500, retryAfter: undefined })
})
