import { describe, expect, test } from 'vitest'
import { type Catalog, createCatalog, isPaid } from '../src/catalog/catalog.ts'
import { fillPath } from '../src/catalog/path.ts'
import type { Site } from '../src/catalog/site.ts'
import { productGroups } from '../src/products/groups.ts'
import { type Client, createClient } from '../src/testing/client.ts'
import { useSharedWorld } from '../src/testing/shared/shared-world.ts'
import type { World } from '../src/testing/world.ts'

const catalog: Catalog<Site> = createCatalog<Site>(productGroups)
const paidPaths = catalog.routes.flatMap(({ endpoint, path }) =>
  isPaid(endpoint) ? fillPath(path, endpoint.sample) : [],
)
const GARBAGE = { 'payment-signature': 'e30=' }

let world: World
useSharedWorld('usual', (it) => {
  world = it
})

const issueOf = ({ text }: { text: string }) => JSON.parse(text).detail[0]

describe('a coin that we do not have', () => {
  test.each(['/price/DOGE', '/price/doge', `/price/0x${'ab'.repeat(20)}`])(
    '%s is 404 before 402, however it is asked for, and uses no free call',
    async (path) => {
      const client = createClient(world)
      const asked = async (target: string, options: Parameters<Client>[1] = {}) =>
        (await client(target, options)).status
      const everyWay = async () => [
        await asked(path),
        await asked(path, { method: 'HEAD' }),
        await asked(`${path}?demo=0`),
        await asked(`${path}?demo=0&x402_version=1`),
        await asked(`${path}?max_age=0`),
        await asked(path, { headers: GARBAGE }),
        await asked(path, { headers: { 'x-payment': 'e30=' } }),
        await asked(path, { headers: { 'x-demo': 'off' } }),
        await asked(path, { headers: { accept: 'text/html', 'user-agent': 'Mozilla/5.0' } }),
      ]
      const nothing = Array(9).fill(404)
      expect(await everyWay()).toEqual(nothing)
      expect((await client('/price/BTC')).headers['x-demo-calls-remaining']).toBe('4')
      for (let call = 0; call < 4; call++) await client('/price/BTC')
      expect((await client('/price/BTC')).status).toBe(402)
      expect(await everyWay()).toEqual(nothing)
    },
  )

  test('is told with those that we have', async () => {
    const reply = await createClient(world)('/price/DOGE')
    expect(JSON.parse(reply.text)).toMatchObject({
      status: 404,
      code: 'unknown_token',
      hint: 'known are BTC, ETH, SOL, XRP and contract addresses of tokens on Base',
    })
  })

  test('what breaks its schema is 422 first', async () => {
    const client = createClient(world)
    for (const path of ['/price/D%20GE', '/price/DOGE?coin=x', '/price/DOGE?demo=2'])
      expect([path, (await client(path)).status]).toEqual([path, 422])
  })
})

test.each(['/discover?q=%01%07', '/discover?q=%3F!', '/discover?q=the'])(
  '%s asks for nothing: 422 before 402, with what to write',
  async (path) => {
    const client = createClient(world)
    for (const headers of [{}, GARBAGE, { 'x-demo': 'off' }]) {
      const reply = await client(path, { headers })
      expect(reply.status).toBe(422)
      expect(issueOf(reply)).toMatchObject({
        loc: ['query', 'q'],
        msg: expect.stringContaining('leave it out'),
      })
    }
    expect((await client('/price/BTC')).headers['x-demo-calls-remaining']).toBe('4')
  },
)

describe.each(paidPaths)('%s', (path) => {
  test('takes the params that steer a payment', async () => {
    const reply = await createClient(world)(`${path}?demo=0&x402_version=2&max_age=5`)
    expect(reply.status).toBe(402)
  })

  test('refuses a param that it does not know, whoever asks, without using a free call', async () => {
    const client = createClient(world)
    for (const headers of [{}, GARBAGE]) {
      const reply = await client(`${path}?utm_source=x`, { headers })
      expect(reply.status).toBe(422)
      expect(issueOf(reply)).toMatchObject({ loc: ['query', 'utm_source'], type: 'extra_forbidden' })
      expect(issueOf(reply).msg).toContain('known are ')
    }
    expect((await client(`${path}?utm_source=x`, { method: 'HEAD' })).status).toBe(422)
    expect((await client('/price/BTC')).headers['x-demo-calls-remaining']).toBe('4')
  })
})

describe('a param that is misspelt', () => {
  test.each([
    ['/signals?coin=btc', 'coin', 'the nearest is coins'],
    ['/signals?Coins=btc', 'Coins', 'the nearest is coins'],
    ['/signals?fromat=list', 'fromat', 'the nearest is format'],
    ['/btc/realtime-signal?coins=eth', 'coins', 'the nearest is coin'],
    ['/price/BTC?maxage=3', 'maxage', 'the nearest is max_age'],
    ['/price/BTC?token=ETH', 'token', 'is part of the path here'],
    ['/price/eth?token=BTC', 'token', 'known are demo, x402_version, max_age'],
    ['/btc-price?=1', '', 'known are demo'],
    ['/btc-price?__proto__=1', '__proto__', 'known are demo'],
  ])('%s is 422 and says which was probably meant', async (path, name, message) => {
    const reply = await createClient(world)(path)
    expect(reply.status).toBe(422)
    expect(issueOf(reply)).toEqual({
      loc: ['query', name],
      msg: expect.stringContaining(message),
      type: 'extra_forbidden',
    })
  })

  test('is told with everything else that is wrong, each once', async () => {
    const reply = await createClient(world)('/signals?format=xml&coin=btc&coin=eth&x=1')
    const { detail } = JSON.parse(reply.text) as { detail: { loc: string[]; type: string }[] }
    expect(detail.map(({ loc, type }) => [loc[1], type])).toEqual([
      ['coin', 'extra_forbidden'],
      ['x', 'extra_forbidden'],
      ['format', 'enum'],
    ])
  })

  test('is shown only in part where there are many or it is long', async () => {
    const many = Array.from({ length: 100 }, (_, n) => `p${n}`).join('&')
    const reply = await createClient(world)(`/btc-price?${'y'.repeat(1_000)}&${many}`)
    const { detail } = JSON.parse(reply.text)
    expect([detail.length, detail[0].loc[1].length]).toEqual([10, 100])
  })

  test.each([
    ['/signals?coins=btc&coins=eth', 'coins', 'multiple_values'],
    ['/price/BTC?demo=0&demo=0', 'demo', 'multiple_values'],
    ['/signals?coins=', 'coins', 'string_pattern_mismatch'],
    ['/signals?format=', 'format', 'enum'],
    ['/price/BTC?max_age=', 'max_age', 'value_error'],
  ])('%s is refused as well', async (path, name, type) => {
    const reply = await createClient(world)(path)
    expect([reply.status, issueOf(reply)]).toMatchObject([422, { loc: ['query', name], type }])
  })

  test('does no harm where everything is free', async () => {
    for (const path of ['/?utm_source=x', '/status?x=1', '/openapi.json?v=2', '/btc-resolve?Hist=1'])
      expect([path, (await world.get(path)).status]).toEqual([path, 200])
  })
})

test.each([
  '/price/btc?demo=0',
  '/price/Sol?demo=0',
  '/signals?demo=0&coins=BTC,eth',
  '/signals?demo=0&coins=%20Btc%20,%20XRP',
  '/btc/realtime-signal?demo=0&coin=ETH',
  '/btc/realtime-signal?demo=0&coin=Xrp',
])('%s: a coin may be written in any case', async (path) => {
  expect((await world.get(path)).status).toBe(402)
})

test('the reply is of the coin that was asked for', async () => {
  const client = createClient(world)
  expect(JSON.parse((await client('/btc/realtime-signal?coin=ETH')).text).coin).toBe('ETH')
  expect(JSON.parse((await client('/price/sOl')).text).token).toBe('SOL')
})

test.each(['/price/ſol', '/signals?coins=ſol', '/btc/realtime-signal?coin=ſol'])(
  '%s: a letter of another alphabet makes no coin',
  async (path) => {
    expect((await world.get(path)).status).toBe(422)
  },
)

test('a redirect keeps what was asked for', async () => {
  const reply = await world.get('/price?demo=0&max_age=3')
  expect([reply.status, reply.headers.get('location')]).toEqual([307, '/price/BTC?demo=0&max_age=3'])
})

test('the status of payments names who settles them, in words of somebody who is well', async () => {
  const { facilitators } = JSON.parse(await (await world.get('/x402/status')).text())
  const steps = { verify: 'ok', settle: 'ok' }
  expect(facilitators).toMatchObject([{ name: 'in-process', networks: [steps, steps], last_fault: null }])
  const directory = JSON.parse(await (await world.get('/')).text())
  expect(directory.x402_protocol.facilitator).toBe('in-process')
})

test.each([
  ['/eth/realtime-signal', 'the nearest is GET /btc/realtime-signal (params: coin)'],
  ['/sol/realtime-signal', 'the nearest is GET /btc/realtime-signal (params: coin)'],
  ['/xrp/realtime-signal', 'the nearest is GET /btc/realtime-signal (params: coin)'],
  ['/PRICE/BTC', 'the nearest is GET /price/{token}'],
  ['//price/BTC/', 'the nearest is GET /price/{token}'],
  ['/singals', 'the nearest is GET /signals (params: coins, format)'],
  ['/api/verify_tx', 'the nearest is POST /api/verify-tx'],
  ['/receipts', 'the nearest is GET /account/receipts'],
  ['/nothing-like-it', 'GET / lists every endpoint'],
])('%s is 404 and names the nearest address', async (path, hint) => {
  const reply = await world.get(path)
  expect([reply.status, ((await reply.json()) as { hint: string }).hint]).toEqual([
    404,
    expect.stringMatching(new RegExp(`^${hint.replace(/[(){}/.]/g, '\\$&')}`)),
  ])
})
