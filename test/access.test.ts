import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Access, free, operator, paid, wallet } from '../src/catalog/access.ts'
import type { Caller } from '../src/catalog/caller.ts'
import { createCatalog } from '../src/catalog/catalog.ts'
import { defineEndpoint } from '../src/catalog/endpoints/endpoint.ts'
import { defineEventStream } from '../src/catalog/endpoints/event-stream.ts'
import { definePage, definePixel } from '../src/catalog/endpoints/page.ts'
import type { EndpointOf, Group } from '../src/catalog/group.ts'
import type { Path } from '../src/catalog/path.ts'
import { usd } from '../src/core/money.ts'
import { groupOf } from '../src/testing/catalog/group-of.ts'
import { METHODS, spellings } from '../src/testing/http/odd-requests.ts'
import { OPERATOR_KEY, type Served, serveGroup, WALLET_TOKEN } from '../src/testing/http/serve-groups.ts'

const SECRET = 'what only the right caller may see'
type Services = { reached: string[] }

const Params = z.object({ name: z.string() })
const textOf = (id: string, access: Access) => ({
  id,
  access,
  path: `/${id}/{name}` as const,
  aliases: [`/other-${id}/{name}`, { path: `/fixed-${id}`, preset: { name: 'x' } }] as Path[],
  summary: id,
  description: 'Something that must not be reached without its credential.',
  params: Params,
  sample: { name: 'x' },
})
const reply = { response: z.object({ said: z.string() }), example: { said: 'x' } }

/** One endpoint of every kind of reply and input that this access can have. */
function everyKind(access: Access): EndpointOf<Services>[] {
  const of = (kind: string) => textOf(`${access.kind}-${kind}`, access)
  const handle = ({ reached }: Services, { name }: { name: string }) => {
    reached.push(name)
    return { said: SECRET }
  }
  const get = defineEndpoint({ ...of('get'), ...reply, method: 'GET', handle })
  if (access.kind === 'paid') return [get]
  return [
    get,
    defineEndpoint({ ...of('post'), ...reply, method: 'POST', handle }),
    defineEndpoint({ ...of('body'), ...reply, method: 'POST', paramsIn: 'body', handle }),
    definePage({
      ...of('page'),
      handle: (services: Services, params) => ({ html: handle(services, params).said }),
    }),
    definePixel({ ...of('pixel'), handle: (services: Services, params) => void handle(services, params) }),
    defineEventStream({
      ...of('stream'),
      event: reply.response,
      example: reply.example,
      open: (services: Services, params, { hear, end }) => {
        hear(handle(services, params))
        end()
        return () => {}
      },
    }),
  ]
}

const closed = [paid(usd('0.01')), wallet, operator('admin')].flatMap(everyKind)
const group: Group<Services> = {
  tag: 'closed',
  about: 'Endpoints that are not open to everybody.',
  endpoints: [...closed, ...everyKind(free)],
}

const CREDENTIALS: Record<string, string>[] = [
  { authorization: 'Bearer wrong' },
  { authorization: `Bearer ${OPERATOR_KEY}x` },
  { authorization: OPERATOR_KEY, 'x-forwarded-for': '127.0.0.1' },
  { cookie: `token=${OPERATOR_KEY}`, 'x-original-url': '/free-get/x', 'x-http-method-override': 'GET' },
]

const addresses = (endpoint: EndpointOf<never>) =>
  [
    endpoint.path,
    ...(endpoint.aliases ?? []).map((alias) => (typeof alias === 'string' ? alias : alias.path)),
  ].map((path) => path.replace('{name}', 'x'))

let served: Served
let client = 0
const reached: string[] = []
beforeAll(async () => {
  served = await serveGroup(group, { reached })
})
afterAll(() => served.close())

describe.each(closed.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  const body = JSON.stringify({ name: 'x' })
  const posted = { 'content-type': 'application/json', 'content-length': String(body.length) }

  test('is refused without its credential at every address, by every method, in every spelling', async () => {
    reached.length = 0
    for (const address of addresses(endpoint))
      for (const method of METHODS)
        for (const [target, credential] of [
          ...spellings(address).map((spelling) => [spelling, {}] as const),
          ...CREDENTIALS.map((credential) => [address, credential] as const),
        ]) {
          const isPost = method === 'POST'
          // Each from an address of its own: a client that guesses keys is told to wait, which proves nothing here.
          const from = { 'x-forwarded-for': `10.${client >> 16}.${(client >> 8) & 255}.${client++ & 255}` }
          const answer = await served.ask(
            method,
            target,
            { ...(isPost && posted), ...from, ...credential },
            isPost ? body : undefined,
          )
          const context = `${method} ${target} ${JSON.stringify(credential)} → ${answer.status}`
          const told = method === 'OPTIONS' ? [200] : []
          expect([...told, 400, 401, 402, 404, 405, 422], context).toContain(answer.status)
          expect(answer.body, context).not.toContain(SECRET)
        }
    expect(reached).toEqual([])
  })

  test('says which credential it wants', async () => {
    const answer = await served.ask(endpoint.method, addresses(endpoint)[0] as string, posted, body)
    expect(answer.status).toBe(endpoint.access.kind === 'paid' ? 402 : 401)
    if (endpoint.access.kind !== 'paid') expect(answer.headers['www-authenticate']).toContain('Bearer')
    const cors = answer.headers['access-control-allow-origin']
    expect(cors).toBe(endpoint.access.kind === 'operator' ? undefined : '*')
  })

  test('opens with it', async () => {
    if (endpoint.access.kind === 'paid') return // Sold in paid.test.ts.
    reached.length = 0
    const token = endpoint.access.kind === 'operator' ? OPERATOR_KEY : WALLET_TOKEN
    // What the operator posts beside the query is refused: nobody would read it.
    const isBare =
      endpoint.access.kind === 'operator' && 'paramsIn' in endpoint && endpoint.paramsIn === 'query'
    const headers = { ...(!isBare && posted), authorization: `Bearer ${token}` }
    for (const target of addresses(endpoint)) {
      const answer = await served.ask(endpoint.method, target, headers, isBare ? undefined : body)
      expect([answer.status, answer.body.includes(SECRET)]).toEqual([200, endpoint.kind !== 'pixel'])
    }
    expect(reached).toHaveLength(3)
  })

  test('refuses a param that it does not know, if it is for the operator', async () => {
    if (endpoint.access.kind === 'paid') return // See before-paying.test.ts.
    const isStrict = endpoint.access.kind === 'operator'
    reached.length = 0
    const token = isStrict ? OPERATOR_KEY : WALLET_TOKEN
    const headers = { ...posted, authorization: `Bearer ${token}` }
    for (const target of addresses(endpoint)) {
      const answer = await served.ask(endpoint.method, `${target}?nmae=y`, headers, body)
      expect([target, answer.status]).toEqual([target, isStrict ? 422 : 200])
      if (isStrict) expect(JSON.parse(answer.body).detail).toMatchObject([{ loc: ['query', 'nmae'] }])
    }
    expect(reached).toHaveLength(isStrict ? 0 : 3)
  })
})

test('one credential does not stand for the other', async () => {
  const operatorAt = await served.ask('GET', '/operator-get/x', { authorization: `Bearer ${WALLET_TOKEN}` })
  const walletAt = await served.ask('GET', '/wallet-get/x', { authorization: `Bearer ${OPERATOR_KEY}` })
  expect([operatorAt.status, walletAt.status]).toEqual([401, 401])
})

describe('the start', () => {
  const start = (endpoint: EndpointOf<Services>) =>
    serveGroup({ ...group, endpoints: [endpoint] }, { reached: [] }, { checks: {} })

  test.each(closed.filter(({ access }) => access.kind !== 'paid').map((endpoint) => [endpoint.id, endpoint]))(
    'refuses %s where nothing checks its access',
    async (_, endpoint) => {
      await expect(start(endpoint as EndpointOf<Services>)).rejects.toThrow(/which HTTP cannot check/)
    },
  )
  test('refuses an access that nobody knows', async () => {
    const [get] = everyKind(free)
    const strange = { ...get, access: { kind: 'friends' } } as unknown as EndpointOf<Services>
    await expect(start(strange)).rejects.toThrow(/friends access, which HTTP cannot check/)
  })
  test('refuses a kind that nobody can serve', async () => {
    const [get] = everyKind(free)
    const strange = { ...get, kind: 'letter' } as unknown as EndpointOf<Services>
    await expect(start(strange)).rejects.toThrow(/cannot serve a letter/)
  })
  test('refuses a page, a stream and a POST for sale', async () => {
    const [, ...others] = everyKind(free)
    for (const other of others)
      await expect(start({ ...other, access: paid(usd('1')) } as EndpointOf<Services>)).rejects.toThrow(
        /can be paid/,
      )
  })
})

describe('a declaration that would have no effect', () => {
  const [get] = everyKind(free) as [EndpointOf<Services>]
  const refuse = (change: object, message: RegExp) =>
    expect(() => createCatalog([groupOf({ ...get, ...change } as EndpointOf<never>)])).toThrow(message)

  test('is refused', () => {
    refuse({ freshForMs: 1 }, /only what is sold has a freshness bound/)
    refuse({ caller: true, changes: () => 1 }, /cannot be shared/)
    refuse({ kind: 'redirect', access: operator('read') }, /a redirect is free/)
    const params = z.object({ name: z.string(), max_age: z.number().optional() })
    refuse({ access: paid(usd('1')), params }, /max_age would never reach the product/)
  })
  test('such as one limit with two meanings is refused', () => {
    const limited = (id: string, calls: number) =>
      ({
        ...get,
        id,
        path: `/${id}/{name}`,
        aliases: [],
        limit: { name: 'shared', calls, windowS: 60 },
      }) as never
    expect(() => createCatalog([groupOf(limited('a', 3), limited('b', 3))])).not.toThrow()
    expect(() => createCatalog([groupOf(limited('a', 3), limited('b', 4))])).toThrow(/shared is 3 calls/)
  })
  test('such as two names for one place of a path is refused', () => {
    const other = {
      ...get,
      id: 'other',
      method: 'POST',
      path: '/free-get/{id}',
      aliases: [],
      params: z.object({ id: z.string() }),
      sample: { id: 'x' },
    }
    expect(() => createCatalog([groupOf(get as EndpointOf<never>, other as never)])).toThrow(
      /calls its params \{name\}/,
    )
  })
})

describe('a caller', () => {
  const callers: unknown[] = []
  type Heard = { callers: unknown[] }
  const asking = (access: Access, id: string) =>
    defineEndpoint({
      ...textOf(id, access),
      ...reply,
      method: 'GET',
      caller: true,
      handle: (services: Heard, _params, caller: Caller) => {
        services.callers.push(caller)
        return { said: 'ok' }
      },
    })
  const quiet = defineEndpoint({
    ...textOf('quiet', operator('read')),
    ...reply,
    method: 'GET',
    handle: (...given: [Heard, ...unknown[]]) => {
      given[0].callers.push(given[2])
      return { said: 'ok' }
    },
  })
  const heard: Group<Heard> = {
    tag: 'heard',
    about: 'Endpoints whose handlers know who calls.',
    endpoints: [asking(free, 'open'), asking(wallet, 'mine'), asking(operator('trade'), 'ours'), quiet],
  }

  test('is told to handlers that ask for it, and to no other', async () => {
    const own = await serveGroup(heard, { callers })
    const from = { 'x-forwarded-for': '203.0.113.9' }
    await own.ask('GET', '/open/x', from)
    await own.ask('GET', '/mine/x', { ...from, authorization: `Bearer ${WALLET_TOKEN}` })
    await own.ask('GET', '/ours/x', { ...from, authorization: `Bearer ${OPERATOR_KEY}` })
    await own.ask('GET', '/quiet/x', { ...from, authorization: `Bearer ${OPERATOR_KEY}` })
    await own.close()
    expect(callers).toEqual([
      { kind: 'free', client: '203.0.113.9' },
      {
        kind: 'wallet',
        client: 'test',
        wallet: '0xb2',
        tier: 'holder',
        token: { id: 'test', expiresMs: 0 },
      },
      { kind: 'operator', client: '203.0.113.9', scope: 'trade', by: 'environment' },
      undefined,
    ])
  })
})
