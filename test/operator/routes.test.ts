import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeKey } from '../../src/access/change-keys.ts'
import { describeSite } from '../../src/app/site.ts'
import { operator } from '../../src/catalog/access.ts'
import { defineEndpoint } from '../../src/catalog/endpoints/endpoint.ts'
import type { EndpointOf } from '../../src/catalog/group.ts'
import { fillPath } from '../../src/catalog/path.ts'
import { readConfig } from '../../src/config/config.ts'
import { createManualClock } from '../../src/core/time/manual-clock.ts'
import { groupOf } from '../../src/testing/catalog/group-of.ts'
import { testSite } from '../../src/testing/discovery/sample-site.ts'
import { METHODS, spellings } from '../../src/testing/http/odd-requests.ts'
import { OPERATOR_KEY, type Served, serveGroup, WALLET_TOKEN } from '../../src/testing/http/serve-groups.ts'
import {
  createMemoryOperatorBook,
  createMemoryOperatorRows,
} from '../../src/testing/ledger/operator/memory-operator-book.ts'
import { searchSize } from '../../src/testing/search-size.ts'

const SECRET = 'what only the operator may see'
const reached: string[] = []
const book = createMemoryOperatorBook(createMemoryOperatorRows())

/** One of each scope and method, so that the test does not depend on what the catalog has. */
const own = (['read', 'trade', 'admin'] as const).flatMap((scope) =>
  (['GET', 'POST'] as const).map((method) =>
    defineEndpoint({
      id: `test.${scope}_${method}`,
      method,
      path: `/own/${scope}/${method.toLowerCase()}` as const,
      access: operator(scope),
      summary: 'Made to be refused',
      description: 'Made to be refused without its key.',
      params: z.object({}),
      sample: {},
      response: z.unknown(),
      example: {},
      handle: () => ({}),
    }),
  ),
)

/** Every operator endpoint of the real catalog, with a handler that tells that it was reached. */
function everyEndpoint(): EndpointOf<never>[] {
  const config = readConfig({ TOLLBOOK_PUBLIC_REVENUE: 'off' })
  const { payment } = testSite()
  const clock = createManualClock(0)
  const { catalog } = describeSite({
    config,
    port: 1,
    money: { wallets: undefined },
    payment,
    clock,
  })
  const real = catalog.endpoints.filter(({ access }) => access.kind === 'operator')
  return [...own, ...real].map((endpoint) => {
    const reach = () => {
      reached.push(endpoint.id)
      return endpoint.kind === 'page' ? { html: SECRET } : { said: SECRET }
    }
    const open = async function* () {
      yield reach()
    }
    const replaced = {
      ...endpoint,
      handle: reach,
      open,
      response: z.unknown(),
      event: z.unknown(),
      caller: undefined,
      changes: undefined,
    }
    return replaced as unknown as EndpointOf<never>
  })
}

const endpoints = everyEndpoint()
const addressesOf = (endpoint: EndpointOf<never>) =>
  [
    endpoint.path,
    ...(endpoint.aliases ?? []).map((alias) => (typeof alias === 'string' ? alias : alias.path)),
  ].map((path) => ('sample' in endpoint ? fillPath(path, endpoint.sample) : path))

let served: Served
let admin: string
let trade: string
beforeAll(async () => {
  admin = (await makeKey(book, { label: 'desk', scopes: ['admin'] }, 0)).key.reveal()
  trade = (await makeKey(book, { label: 'bot', scopes: ['trade'] }, 0)).key.reveal()
  served = await serveGroup(groupOf(...endpoints), undefined as never, { book, demoCalls: 1_000 })
})
afterAll(() => served.close())

let client = 0
/** Each from an address of its own: a client that guesses keys is told to wait, which proves nothing here. */
function ask(method: string, target: string, headers: Record<string, string> = {}) {
  const from = `10.${client >> 16}.${(client >> 8) & 255}.${client++ & 255}`
  const body = method === 'POST' ? '{}' : undefined
  const posted = body && { 'content-type': 'application/json', 'content-length': String(body.length) }
  return served.ask(method, target, { ...posted, 'x-forwarded-for': from, ...headers }, body)
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const NO_KEY: Record<string, string>[] = [
  {},
  { ...bearer('wrong') },
  { ...bearer(`${OPERATOR_KEY}x`) },
  { ...bearer(OPERATOR_KEY.slice(0, -1)) },
  { ...bearer(WALLET_TOKEN) },
  { authorization: OPERATOR_KEY },
  { authorization: `Basic ${Buffer.from(`operator:${OPERATOR_KEY}`).toString('base64')}` },
  { 'x-api-key': OPERATOR_KEY, cookie: `key=${OPERATOR_KEY}` },
  { 'payment-signature': 'e30=', 'x-payment': 'e30=' },
  { 'x-demo': 'on' },
  { 'sign-in-with-x': 'e30=' },
  { 'x-http-method-override': 'GET', 'x-method-override': 'GET' },
  { 'x-original-url': '/', 'x-rewrite-url': '/', 'x-forwarded-host': '127.0.0.1' },
]

const STEP = searchSize('odd-request-step')
/** Begins at another one for every endpoint, so that all of them together get each odd request. */
const shareOf = <Odd>(all: readonly Odd[], endpoint: EndpointOf<never>): Odd[] =>
  all.filter((_, at) => (at + endpoints.indexOf(endpoint)) % STEP === 0)

test('the catalog has what only the operator may call', () => {
  const paths = endpoints.map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining(['/trade/buy', '/admin/trading/config', '/analytics', '/x402/stats']),
  )
  for (const { path, access } of endpoints) {
    const scope = path.startsWith('/trade/')
      ? 'trade'
      : /^\/(admin\/|analytics$)/.test(path)
        ? 'admin'
        : undefined
    if (scope) expect([path, access]).toEqual([path, operator(scope)])
  }
})

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  const scope = endpoint.access.kind === 'operator' ? endpoint.access.scope : undefined
  const expectShut = async (
    method: string,
    target: string,
    headers: Record<string, string>,
    statuses: number[],
  ) => {
    const answer = await ask(method, target, headers)
    const context = `${method} ${target} ${JSON.stringify(headers)} → ${answer.status}`
    expect(statuses, context).toContain(answer.status)
    expect(answer.body, context).not.toContain(SECRET)
    if (answer.status !== 404) expect(answer.headers['access-control-allow-origin'], context).toBeUndefined()
    if (answer.status === 401) expect(answer.headers['www-authenticate'], context).toMatch(/^Bearer/)
    return answer
  }

  test('is 401 without a key, by every method and whatever comes in place of it', async () => {
    reached.length = 0
    for (const address of addressesOf(endpoint)) {
      for (const headers of NO_KEY) await expectShut(endpoint.method, address, headers, [401])
      for (const method of METHODS) await expectShut(method, address, {}, [401])
      const pairs = METHODS.flatMap((method) => NO_KEY.map((headers) => ({ method, headers })))
      for (const { method, headers } of shareOf(pairs, endpoint))
        await expectShut(method, address, headers, [401])
    }
    expect(reached).toEqual([])
  })

  test('is not there, or 401, in every other spelling', async () => {
    reached.length = 0
    for (const address of addressesOf(endpoint)) {
      const targets = [
        ...spellings(address),
        `${address}?demo=1`,
        `${address}?_method=GET&key=${OPERATOR_KEY}`,
      ]
      for (const target of targets) await expectShut(endpoint.method, target, {}, [401, 404])
      const pairs = METHODS.flatMap((method) => targets.map((target) => ({ method, target })))
      for (const { method, target } of shareOf(pairs, endpoint))
        await expectShut(method, target, {}, [401, 404])
    }
    expect(reached).toEqual([])
  })

  test('is 403 with a key of the other scope, which is named', async () => {
    if (scope === 'read') return // Every key has it: see the next test.
    reached.length = 0
    const wrong = scope === 'trade' ? admin : trade
    for (const address of addressesOf(endpoint))
      for (const method of METHODS) {
        const answer = await expectShut(method, address, bearer(wrong), [403])
        if (method !== 'HEAD')
          expect(JSON.parse(answer.body)).toMatchObject({
            code: 'forbidden',
            detail: expect.stringContaining(`the scope ${scope}`),
          })
      }
    expect(reached).toEqual([])
  })

  test('opens with a key of its scope; other methods are then 405', async () => {
    reached.length = 0
    const right = scope === 'trade' ? [trade] : scope === 'admin' ? [admin] : [admin, trade]
    for (const key of [...right, OPERATOR_KEY])
      for (const address of addressesOf(endpoint)) {
        const opened = await ask(endpoint.method, address, bearer(key))
        // Params that the path does not carry may be needed: then it is 422, and past the door all the same.
        expect([200, 422]).toContain(opened.status)
        const other = await ask('DELETE', address, bearer(key))
        const told = await ask('OPTIONS', address, bearer(key))
        expect([other.status, told.status]).toEqual([405, 200])
        expect(told.headers['access-control-allow-methods']).toBeUndefined()
        expect(told.headers.allow).toContain(endpoint.method)
      }
    if (endpoint.id.startsWith('test.')) expect(reached).toHaveLength(right.length + 1)
  })
})
