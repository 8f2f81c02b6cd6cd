import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { accountGroup } from '../src/account/group.ts'
import { protocolGroups } from '../src/app/protocols.ts'
import { free, operator, type Scope } from '../src/catalog/access.ts'
import type { Route } from '../src/catalog/catalog.ts'
import { createCatalog } from '../src/catalog/catalog.ts'
import { paramShapes } from '../src/catalog/json-schema.ts'
import { fillPath, pathNames } from '../src/catalog/path.ts'
import type { Site } from '../src/catalog/site.ts'
import { DEFAULT_SITE } from '../src/config/variables/service.ts'
import { systemClock } from '../src/core/time/clock.ts'
import { windowAt } from '../src/core/time/window.ts'
import { docsGroupOf } from '../src/discovery/docs/group.ts'
import { discoveryGroup } from '../src/discovery/group.ts'
import { operatorGroups } from '../src/operator/groups.ts'
import { pageGroup } from '../src/pages/group.ts'
import { productGroups } from '../src/products/groups.ts'
import { awayFromOpening, untilMarketsAreFollowed } from '../src/testing/away-from-opening.ts'
import { arrange, replyTo, shownBy } from '../src/testing/examples/arrange.ts'
import type { Arrangement } from '../src/testing/examples/arranged.ts'
import { exampleOf, isShown } from '../src/testing/examples/ask.ts'
import { differences } from '../src/testing/examples/same-shape.ts'
import { lackOf } from '../src/testing/missing.ts'
import { startWorld, type World } from '../src/testing/world.ts'

const Row = z.object({
  method: z.string(),
  path: z.string(),
  group: z.enum(['free', 'paid', 'auth', 'trade', 'admin']),
  price_atomic: z.string().optional(),
  redirect: z.string().optional(),
  html: z.boolean().optional(),
  shape: z.string().optional(),
  params: z
    .array(
      z.object({
        name: z.string(),
        in: z.enum(['path', 'query']),
        type: z.string(),
        enum: z.array(z.string()).optional(),
        default: z.unknown().optional(),
        min: z.number().optional(),
        max: z.number().optional(),
        minLength: z.number().optional(),
        required: z.boolean().optional(),
      }),
    )
    .default([]),
})

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const rows = z
  .array(Row)
  .length(100)
  .parse(JSON.parse(read('../contract/routes.json')))
/** The contract writes `{site}` for a name that is configured. */
const keyOf = ({ method, path }: { method: string; path: string }) =>
  `${method} ${path.replace('{site}', DEFAULT_SITE)}`
const covered = read('../contract/covered.txt').replaceAll('{site}', DEFAULT_SITE).trim().split('\n')
const groups = [
  ...productGroups,
  accountGroup,
  pageGroup,
  ...protocolGroups,
  discoveryGroup,
  ...operatorGroups,
]
const { routes, endpoints } = createCatalog<Site>([...groups, docsGroupOf(groups)])
const routeOf = new Map(routes.map((route) => [keyOf(route), route]))
/** OPTIONS is no route of its own: every address answers it. */
const [told, served] = [true, false].map((isTold) =>
  rows.filter(
    (row) =>
      (row.method === 'OPTIONS') === isTold && routeOf.has(keyOf(isTold ? { ...row, method: 'POST' } : row)),
  ),
) as [typeof rows, typeof rows]

/** Bodies whose fields the specification gives; others are checked by their own schema. */
const SHAPES: Record<string, z.ZodType> = {
  directory: z.object({
    name: z.string(),
    version: z.literal('2.0.0'),
    description: z.string(),
    docs: z.string(),
    quickstart: z.string(),
    endpoints: z.object({
      free: z.record(z.string(), z.unknown()),
      paid: z.record(z.string(), z.object({ price_usdc: z.number(), description: z.string() })),
    }),
    x402_protocol: z.object({
      how_it_works: z.unknown(),
      supported_chains: z.unknown(),
      facilitator: z.string(),
      payTo: z.record(z.string(), z.string()),
      libraries: z.unknown(),
    }),
    example: z.unknown(),
    website: z.string(),
    agents_welcome: z.literal(true),
  }),
  openapi: z.object({
    openapi: z.literal('3.1.0'),
    info: z.object({ version: z.literal('2.0.0') }),
    paths: z.object({}).loose(),
  }),
  'x402-manifest': z.object({
    version: z.literal(1),
    x402Version: z.literal(2),
    resources: z.array(z.url()).min(1),
  }),
  'token-price': z.object({
    token: z.string(),
    price_usd: z.number().positive(),
    source: z.string(),
    timestamp: z.iso.datetime(),
  }),
}

/**
 * What the sample of a posted product is answered with where that is not 200: a transfer on another chain has paid for
 * nothing here, and nobody holds a token of another service. In the first and last seconds of a window nothing is bought,
 * and an order book may have one side for a moment, or be a moment old.
 */
const POSTED: Record<string, readonly number[]> = {
  // 503: where anvil does not run there is no chain to ask.
  '/api/verify-tx': [402, 503],
  '/auth/verify': [401],
  '/trade/close': [404],
  '/trade/buy': [200, 409, 503],
  '/trade/sell': [200, 409, 503],
  '/admin/trading/buy': [200, 409, 503],
}
/** In the first and last seconds of a window nothing is bought, and what was not bought cannot be sold. */
const MAY_BE_REFUSED = ['trade.buy', 'trade.sell', 'admin.buy', 'trade.close']
/** A new service has no prediction that was opened. */
const NEED_A_CLOSED_WINDOW = ['record.entry', 'record.proof']
const OPERATOR_KEY = 'operator-of-the-contract-0123456789'
const isOperated = (group: string) => group === 'trade' || group === 'admin'
const keyFor = ({ group }: { group: string }): Record<string, string> =>
  isOperated(group) ? { authorization: `Bearer ${OPERATOR_KEY}` } : {}
const CoinSignal = z.object({
  direction: z.enum(['UP', 'DOWN']),
  confidence: z.number().min(0).max(1),
  regime: z.string(),
})
const Indicators = z.object({ rsi: z.number(), ob_imbalance: z.number().nullable() })
SHAPES.signals = z.union([
  z.object({
    signals: z.array(z.object({ coin: z.string(), source: z.string(), ...CoinSignal.shape })).length(1),
    count: z.literal(1),
    source: z.string(),
  }),
  z.object({
    timestamp: z.iso.datetime(),
    signals: z.record(z.string(), z.object({ ...CoinSignal.shape, indicators: Indicators })),
    bot_win_rate: z.number(),
    trades_today: z.int(),
  }),
])
SHAPES.performance = z.object({
  portfolio: z.object({
    wallet_usdc: z.number().nullable(),
    total_pnl_usdc: z.number(),
    win_rate: z.number().min(0).max(100),
    total_trades: z.int(),
    wins: z.int(),
  }),
  recent_trades: z.array(
    z.object({
      coin: z.string(),
      direction: z.string(),
      pnl_usdc: z.number(),
      timestamp: z.iso.datetime(),
    }),
  ),
  bot: z.string(),
  platform: z.string(),
})
SHAPES.trending = z.object({
  pools: z
    .array(
      z.object({
        name: z.string(),
        symbol: z.string(),
        token_address: z.string().regex(/^0x[0-9a-f]{40}$/),
        price_usd: z.number().positive(),
        price_change_24h: z.number(),
        volume_24h: z.number(),
        score: z.number(),
      }),
    )
    .length(10),
  tier: z.string(),
  count: z.literal(10),
})
SHAPES['agent-pulse'] = z.object({
  agent_summary: z.string().min(200).max(1_199),
  coins: z.array(z.object({ coin: z.string() })).length(4),
  whales: z.object({ trades: z.int() }),
  hot_markets: z.array(z.object({ question: z.string() })).min(1),
})
SHAPES.demo = z.object({
  welcome: z.string(),
  description: z.string(),
  live_sample: z.object({
    btc_price_usd: z.number().positive(),
    signals: z.array(CoinSignal),
    trending_tokens: z
      .array(
        z.object({
          name: z.string(),
          price_usd: z.string(),
          volume_24h: z.number(),
          price_change_24h: z.number(),
        }),
      )
      .length(4),
    prediction_market: z.object({
      // At the turn of a window the next markets may not be known yet; previews.test.ts has them all.
      active_5min_markets: z.array(z.string()).max(4),
      example_odds: z.object({ up: z.number().nullable(), down: z.number().nullable() }).nullable(),
    }),
    generated_at: z.int(),
    note: z.string(),
  }),
  endpoints: z
    .array(
      z.object({
        path: z.string(),
        description: z.string(),
        price_usdc: z.number(),
        curl_example: z.string(),
      }),
    )
    .min(1),
  how_to_pay: z.record(z.string(), z.string()),
  free_trial: z.string(),
})
/** Where the params of a POST stand is part of its declaration. */
function postOf({ endpoint, path }: Route, headers: Record<string, string>) {
  if (endpoint.kind === 'protocol')
    return {
      target: path,
      init: {
        body: JSON.stringify(endpoint.message?.example),
        headers: { ...headers, 'content-type': 'application/json' },
      },
    }
  if (endpoint.kind !== 'product') throw new Error(`${path} cannot be posted to`)
  if (endpoint.paramsIn === 'query') {
    const query = new URLSearchParams(endpoint.sample as Record<string, string>)
    return { target: query.size > 0 ? `${path}?${query}` : path, init: { headers } }
  }
  // A sample's window is long gone, and only those of the last day are taken.
  const present = 'window_start' in endpoint.sample && { window_start: windowAt(systemClock.now()).startS }
  const init = {
    body: JSON.stringify({ ...endpoint.sample, ...present }),
    headers: { ...headers, 'content-type': 'application/json' },
  }
  return { target: path, init }
}

describe('contract', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({ TOLLBOOK_DEMO_CALLS_PER_DAY: '1000', TOLLBOOK_OPERATOR_KEY: OPERATOR_KEY })
    await untilMarketsAreFollowed(world.url)
  })
  afterAll(() => world[Symbol.asyncDispose]())
  /** Neither at the opening of a window nor while a busy machine has kept prices or books from coming. */
  const untilAnswering = async () => {
    await awayFromOpening()
    await world.untilFresh()
    await untilMarketsAreFollowed(world.app.site.baseUrl)
  }

  test('the copy of the contract is the contract', ({ skip }) => {
    const shared = new URL('../../shared/contract/routes.json', import.meta.url)
    if (!existsSync(shared)) return skip(lackOf('contract'))
    expect(JSON.parse(read('../contract/routes.json'))).toEqual(JSON.parse(readFileSync(shared, 'utf8')))
  })

  test('no row that was covered is lost, and the list says what is covered', () => {
    console.log(`contract: ${served.length + told.length}/${rows.length} routes`)
    expect([...served, ...told].map(keyOf).sort()).toEqual([...covered].sort())
  })

  test.each(served.map((row) => [keyOf(row), row] as const))('%s is declared as agreed', (key, row) => {
    const { endpoint, path, preset } = routeOf.get(key) as Route
    if (row.group === 'paid')
      expect(endpoint.access).toEqual({ kind: 'paid', price: BigInt(row.price_atomic ?? '-1') })
    else expect(endpoint.access).toEqual(isOperated(row.group) ? operator(row.group as Scope) : free)
    const isAsked = endpoint.kind === 'product' && endpoint.paramsIn === 'query'
    const declared = isAsked ? paramShapes(endpoint.params, pathNames(path), preset) : []
    const agreed = declared.map(({ name, in: place, schema }) => ({
      name,
      in: place,
      type: schema.type,
      ...(schema.enum !== undefined && { enum: schema.enum }),
      ...(schema.default !== undefined && { default: schema.default }),
    }))
    const names = new Set(row.params.map(({ name }) => name))
    expect(agreed.filter(({ name }) => names.has(name))).toEqual(
      row.params.map(({ min: _min, max: _max, minLength: _length, required: _required, ...rest }) => rest),
    )
    // What a client of the contract does not send must not be needed.
    expect(declared.filter(({ name, required }) => required && !names.has(name))).toEqual([])
    for (const { name, min, max, minLength, required, in: place } of row.params) {
      const shape = declared.find((each) => each.name === name)
      const schema = shape?.schema
      expect(shape?.required).toBe(required ?? place === 'path')
      if (minLength !== undefined) expect(schema?.minLength).toBe(minLength)
      if (min !== undefined) expect(schema?.minimum).toBe(min)
      if (max !== undefined) expect(schema?.maximum).toBe(max)
    }
  })

  test.each(told.map((row) => [keyOf(row), row] as const))('%s answers 200', async (_, { path }) => {
    const reply = await world.send('OPTIONS', path.replace('{site}', DEFAULT_SITE))
    expect([reply.status, reply.headers.get('allow')]).toEqual([200, 'POST, OPTIONS'])
  })

  test('the account that the sandbox makes at the prediction venue is the one whose history it shows', async ({
    skip,
  }) => {
    const wallets = (await (await world.send('GET', '/sandbox/wallets')).json()) as { evm?: unknown }
    if (!wallets.evm) return skip(lackOf('anvil'))
    const { note } = (await (await world.send('GET', '/api/predmkt/history')).json()) as { note: string }
    expect(note).toBe('the account has not traded five-minute markets')
  })

  test.each(served.map((row) => [keyOf(row), row] as const))(
    '%s answers with what it declares',
    async (key, row) => {
      const route = routeOf.get(key) as Route
      const { endpoint, path } = route
      const sample: Record<string, unknown> = endpoint.kind === 'product' ? endpoint.sample : {}
      const headers = keyFor(row)
      await untilAnswering()
      if (row.method === 'POST') {
        const { target, init } = postOf(route, headers)
        const reply = await world.send('POST', target, init)
        expect(POSTED[path] ?? [200], `${key}: ${await reply.clone().text()}`).toContain(reply.status)
        if (reply.status === 200 && endpoint.kind === 'product')
          expect(endpoint.response.safeParse(await reply.json()).error).toBeUndefined()
        if (endpoint.kind === 'protocol')
          expect(endpoint.answer.schema.safeParse(await reply.json()).error).toBeUndefined()
        return
      }
      const asked = row.params.filter(({ in: place, required }) => place === 'query' && required)
      const query = new URLSearchParams(
        Object.fromEntries(asked.map(({ name }) => [name, String(sample[name])])),
      )
      const reply = await world.send(row.method, `${fillPath(path, sample)}?${query}`, { headers })
      if (row.redirect) {
        expect([reply.status, reply.headers.get('location')]).toEqual([307, row.redirect])
        return
      }
      expect(reply.status, `${key}: ${reply.status === 200 ? '' : await reply.clone().text()}`).toBe(200)
      if (endpoint.kind === 'pixel') {
        expect(reply.headers.get('content-type')).toBe('image/gif')
        return
      }
      if (row.html) {
        expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
        expect(await reply.text()).toMatch(/^<!doctype html>/)
        return
      }
      const body = await reply.json()
      const shape = row.shape === undefined ? undefined : SHAPES[row.shape]
      if (row.shape !== undefined) expect(shape, `the shape ${row.shape} is not known here`).toBeDefined()
      expect(shape?.safeParse(body).error).toBeUndefined()
      if (endpoint.kind === 'product') expect(endpoint.response.safeParse(body).error).toBeUndefined()
      if (endpoint.kind === 'protocol') expect(endpoint.answer.schema.safeParse(body).error).toBeUndefined()
    },
  )

  describe('an example has the fields of a reply made now', () => {
    const key = { authorization: `Bearer ${OPERATOR_KEY}` }
    let arranged: Arrangement | undefined
    beforeAll(async () => {
      const wallets = (await (await world.send('GET', '/sandbox/wallets')).json()) as { evm?: unknown }
      await untilAnswering()
      if (wallets.evm) arranged = await arrange(world, key)
    })

    const asked = endpoints.filter(isShown).filter(({ id }) => !NEED_A_CLOSED_WINDOW.includes(id))
    test.for(asked.map(({ id }) => id))('%s', async (id, { skip }) => {
      if (!arranged) return skip(lackOf('anvil'))
      const endpoint = shownBy(world).find((each) => each.id === id)
      if (!endpoint) throw new Error('it is not offered')
      await untilAnswering()
      const { status, body } = await replyTo(world, endpoint, key, arranged[id])
      if (status !== 200) return expect(MAY_BE_REFUSED, JSON.stringify(body)).toContain(id)
      expect(differences(exampleOf(endpoint), body)).toEqual([])
    })
  })
})
