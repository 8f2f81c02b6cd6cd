import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Route } from '../src/catalog/catalog.ts'
import { createCatalog } from '../src/catalog/catalog.ts'
import { paramShapes } from '../src/catalog/json-schema.ts'
import { fillPath, pathNames } from '../src/catalog/path.ts'
import type { Site } from '../src/catalog/site.ts'
import { discoveryGroup } from '../src/discovery/group.ts'
import { productGroups } from '../src/products/groups.ts'
import { awayFromOpening, untilMarketsAreFollowed } from '../src/testing/away-from-opening.ts'
import { lackOf } from '../src/testing/missing.ts'
import { startWorld, type World } from '../src/testing/world.ts'

const Row = z.object({
  method: z.string(),
  path: z.string(),
  group: z.enum(['free', 'paid', 'auth', 'trade', 'admin']),
  price_atomic: z.string().optional(),
  redirect: z.string().optional(),
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
      }),
    )
    .default([]),
})

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const rows = z
  .array(Row)
  .length(100)
  .parse(JSON.parse(read('../contract/routes.json')))
const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const covered = read('../contract/covered.txt').trim().split('\n')
const { routes } = createCatalog<Site>([...productGroups, discoveryGroup])
const routeOf = new Map(routes.map((route) => [keyOf(route), route]))
const served = rows.filter((row) => routeOf.has(keyOf(row)))

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

/** What the sample of a posted product is answered with: a made-up transfer has paid for nothing. */
const POSTED: Record<string, number> = { '/api/verify-tx': 403 }
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
const postOf = (body: unknown) => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

describe('contract', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({ TOLLBOOK_DEMO_CALLS_PER_DAY: '1000' })
    await untilMarketsAreFollowed(world.url)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('the copy of the contract is the contract', ({ skip }) => {
    const shared = new URL('../../shared/contract/routes.json', import.meta.url)
    if (!existsSync(shared)) return skip(lackOf('contract'))
    expect(JSON.parse(read('../contract/routes.json'))).toEqual(JSON.parse(readFileSync(shared, 'utf8')))
  })

  test('no row that was covered is lost, and the list says what is covered', () => {
    console.log(`contract: ${served.length}/${rows.length} routes`)
    expect(served.map(keyOf).sort()).toEqual([...covered].sort())
  })

  test.each(served.map((row) => [keyOf(row), row] as const))('%s is declared as agreed', (key, row) => {
    const { endpoint, path, preset } = routeOf.get(key) as Route
    if (row.group === 'paid')
      expect(endpoint.access).toEqual({ kind: 'paid', price: BigInt(row.price_atomic ?? '-1') })
    else expect(endpoint.access.kind).toBe('free')
    const isAsked = endpoint.kind === 'product' && endpoint.method === 'GET'
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
      row.params.map(({ min: _min, max: _max, ...rest }) => rest),
    )
    // What a client of the contract does not send must not be needed.
    expect(declared.filter(({ name, required }) => required && !names.has(name))).toEqual([])
    for (const { name, min, max } of row.params) {
      const schema = declared.find((shape) => shape.name === name)?.schema
      if (min !== undefined) expect(schema?.minimum).toBe(min)
      if (max !== undefined) expect(schema?.maximum).toBe(max)
    }
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
      const { endpoint, path } = routeOf.get(key) as Route
      const sample = endpoint.kind === 'product' ? endpoint.sample : {}
      if (row.method === 'POST') {
        const reply = await world.send('POST', path, postOf(sample))
        expect([key, reply.status]).toEqual([key, POSTED[path]])
        return
      }
      await awayFromOpening()
      const reply = await world.send(row.method, fillPath(path, sample))
      if (row.redirect) {
        expect([reply.status, reply.headers.get('location')]).toEqual([307, row.redirect])
        return
      }
      expect(reply.status).toBe(200)
      const body = await reply.json()
      const shape = row.shape === undefined ? undefined : SHAPES[row.shape]
      if (row.shape !== undefined) expect(shape, `the shape ${row.shape} is not known here`).toBeDefined()
      expect(shape?.safeParse(body).error).toBeUndefined()
      if (endpoint.kind === 'product') expect(endpoint.response.safeParse(body).error).toBeUndefined()
    },
  )
})
