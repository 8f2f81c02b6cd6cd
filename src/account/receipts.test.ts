import { afterAll, beforeAll, expect, test } from 'vitest'
import { createManualClock } from '../core/time/manual-clock.ts'
import type { Purchased } from '../ledger/ports/payment-book-queries.ts'
import { type Served, serveGroup } from '../testing/http/serve-groups.ts'
import { accountGroup } from './group.ts'
import type { AccountServices } from './services.ts'

const unused = () => Promise.reject(new Error('not a part of this test'))
const WALLET = `0x${'b2'.repeat(20)}`
const bought = Array.from(
  { length: 1_055 },
  (_, n): Purchased => ({
    ...{ id: `id-${n}`, productId: 'market.price', request: 'GET /price/BTC', network: 'eip155:8453' },
    ...{ asset: '0xcc', amount: '1000', transaction: '0xdd', settledAtMs: 1_000, hasReply: true },
  }),
)
const services: AccountServices = {
  clock: createManualClock(2_000),
  holders: undefined,
  revoke: unused,
  jwks: () => [],
  purchases: {
    purchasesOf: async (_, { limit, offset }) => ({
      ...{ count: bought.length, revenue: 1_055_000n as never },
      rows: bought.slice(offset, offset + limit),
    }),
    findById: unused,
  },
  baseUrl: 'https://tollbook.example',
  newNonce: () => 'n'.repeat(32),
  sourceOf: (source) => source,
}
const payer = async () => ({ kind: 'payer', client: 'test', wallet: WALLET, network: 'eip155:8453' }) as const

let served: Served
beforeAll(async () => {
  served = await serveGroup(accountGroup, services, { checks: { wallet: unused, payer } })
})
afterAll(() => served.close())

const rowsOf = (body: string) => body.trimEnd().split('\r\n').length - 1

test.each([
  ['?format=csv', {}, '/account/receipts?format=csv&offset=1000'],
  ['', { accept: 'text/csv' }, '/account/receipts?offset=1000'],
])('a table%s has as much as may be had, and says what it lacks', async (query, asked, next) => {
  const { headers, body } = await served.ask('GET', `/account/receipts${query}`, asked)
  expect(headers['content-disposition']).toBe('attachment; filename="tollbook-receipts.csv"')
  expect([rowsOf(body), headers['x-total-count'], headers.link]).toEqual([
    1_000,
    '1055',
    `<${next}>; rel="next"`,
  ])
  expect(headers['access-control-expose-headers']).toMatch(/X-Total-Count.*Link/)
  const rest = await served.ask('GET', next, asked)
  expect([rowsOf(rest.body), rest.headers['x-total-count'], rest.headers.link]).toEqual([
    55,
    '1055',
    undefined,
  ])
})

test('JSON has fifty unless it is asked for more, with the same headers', async () => {
  const first = await served.ask('GET', '/account/receipts')
  expect(JSON.parse(first.body)).toMatchObject({ purchases: 1_055, next_offset: 50 })
  expect(JSON.parse(first.body).items).toHaveLength(50)
  expect([first.headers['x-total-count'], first.headers.link]).toEqual([
    '1055',
    '</account/receipts?offset=50>; rel="next"',
  ])
  expect(first.headers).not.toHaveProperty('content-disposition')
  const most = await served.ask('GET', '/account/receipts?limit=1000&offset=50')
  expect(most.headers.link).toBe('</account/receipts?limit=1000&offset=1050>; rel="next"')
  for (const query of ['limit=1001', 'limit=0', 'offset=-1', 'offset=1000001'])
    expect((await served.ask('GET', `/account/receipts?${query}`)).status).toBe(422)
})
