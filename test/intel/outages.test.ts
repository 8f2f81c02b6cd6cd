import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/time/time.ts'
import { FACTS_WAIT_MS } from '../../src/intel/tokens/facts/token-facts.ts'
import { LOOKUP_WAIT_MS } from '../../src/intel/tokens/token-lookup.ts'
import { WRITER_WAIT_MS } from '../../src/intel/writer/writer.ts'
import { OUTAGE_KINDS, type OutageKind } from '../../src/sandbox/providers/outages.ts'
import { searchSize } from '../../src/testing/search-size.ts'
import { type Asked, type IntelWorld, openIntelWorld } from './intel-world.ts'

const PROVIDERS = [
  ...[
    'geckoterminal',
    'dexscreener',
    'goplus',
    'honeypot',
    'blockscout',
    'coingecko',
    'fng',
    'binance_futures',
  ],
  ...['bybit', 'okx', 'hyperliquid', 'mempool', 'coinlobster', 'sosovalue', 'bazaar', 'ecosystem', 'llm'],
]
const TOKEN_WAIT_MS = LOOKUP_WAIT_MS + FACTS_WAIT_MS
const MONEY = ['WETH', 'USDC', 'cbBTC']
/** Failed reads are repeated within a minute. */
const RECOVERY_MS = 90 * SECOND_MS
/** Time moves in steps while somebody waits. */
const STEP_MS = 100

let world: IntelWorld
let token: string
/** Every product, and the longest that it may wait for its sources. */
let products: Readonly<Record<string, number>>
beforeAll(async () => {
  world = await openIntelWorld()
  token = world.tokens.tokens.find(({ symbol }) => symbol === 'OTTER')?.address ?? ''
  products = {
    [`/price/${token}`]: TOKEN_WAIT_MS,
    [`/token/${token}`]: TOKEN_WAIT_MS,
    [`/token/${token}/score`]: TOKEN_WAIT_MS,
    [`/token/${token}/diagnose`]: TOKEN_WAIT_MS + WRITER_WAIT_MS,
    '/trending': 0,
    '/sentiment': 0,
    '/sentiment/composite': 0,
    '/crypto-sentiment': 0,
    '/market-mood': 0,
    '/market-intel': 0,
    '/whales': 0,
    '/discover?q=weather': 0,
    '/quick-brief': 0,
    '/agent-pulse': 0,
  }
})
afterAll(() => world[Symbol.asyncDispose]())

const cut = (providers: readonly string[], kind: OutageKind) => {
  for (const provider of providers) {
    world.internet.outages.set(provider, 'rest', { kind, retryAfter: '20' })
    world.internet.outages.set(provider, 'socket', { kind })
  }
}
const mend = (providers: readonly string[]) => {
  for (const provider of providers) {
    world.internet.outages.set(provider, 'rest')
    world.internet.outages.set(provider, 'socket')
  }
}

/** A product that keeps its promises, whatever its sources do. */
async function ask(target: string): Promise<Asked> {
  const asked = await world.ask(target)
  expect([200, 503], `${target}: ${JSON.stringify(asked.json)}`).toContain(asked.status)
  const limitMs = products[target.replace(/0x[0-9a-f]+/, token)] ?? 0
  expect(asked.waitedMs, target).toBeLessThanOrEqual(limitMs + STEP_MS)
  if (asked.status === 503) expect(asked.json.code, target).toMatch(/^(upstream_unavailable|stale_data)$/)
  for (const part of partsIn(asked.json)) {
    expect(part.status, `${target} ${part.source}`).toMatch(/^(fresh|aged|missing)$/)
    if (part.status === 'missing') expect(part, target).toMatchObject({ reason: /./, timestamp: null })
    else expect(Date.parse(part.timestamp ?? ''), target).toBeLessThanOrEqual(world.clock.now())
  }
  return asked
}
const askAll = async () => {
  const found = new Map<string, Asked>()
  for (const target of Object.keys(products)) found.set(target, await ask(target))
  return found
}
const statusesOf = (all: ReadonlyMap<string, Asked>, status: number) =>
  [...all].flatMap(([target, asked]) => (asked.status === status ? target : []))

type FoundPart = { source: string; status: string; timestamp: string | null; reason?: string }
function partsIn(json: unknown): FoundPart[] {
  if (typeof json !== 'object' || json === null) return []
  const inside = Object.values(json).flatMap(partsIn)
  const isPart = 'source' in json && 'timestamp' in json && typeof (json as FoundPart).status === 'string'
  return isPart ? [json as FoundPart, ...inside] : inside
}
const partOf = ({ json }: Asked, source: string) =>
  partsIn(json).find((part) => part.source === `sandbox:${source}`)

describe('while one source is away', () => {
  it('everything is sold while all of them answer', async () => {
    expect(statusesOf(await askAll(), 503)).toEqual([])
  })

  it('a derivatives venue is aged, then missing, and three of them end the product', async () => {
    cut(['bybit'], 'error')
    await world.skip(100 * SECOND_MS)
    expect(partOf(await ask('/market-intel'), 'bybit')).toMatchObject({ status: 'aged' })
    await world.skip(4 * MINUTE_MS)
    const left = await ask('/market-intel')
    expect(left.status).toBe(200)
    expect(partOf(left, 'bybit')).toMatchObject({ status: 'missing', reason: /^too old; the source/ })
    expect(left.json.source).toBe('sandbox:binance_futures+okx+hyperliquid')
    cut(['okx', 'hyperliquid'], 'html')
    await world.skip(4 * MINUTE_MS)
    expect((await ask('/market-intel')).status).toBe(200)
    await world.skip(2 * MINUTE_MS)
    expect((await ask('/market-intel')).status).toBe(503)
    expect((await ask('/crypto-sentiment')).status).toBe(200)
    mend(['bybit', 'okx', 'hyperliquid'])
    await world.pass(RECOVERY_MS, 5_000)
    const back = await ask('/market-intel')
    for (const venue of ['binance_futures', 'bybit', 'okx', 'hyperliquid'])
      expect(partOf(back, venue), venue).toMatchObject({ status: 'fresh' })
  })

  it.each(['hang', 'reset'] as const)('the market of a token is served until its bound: %s', async (kind) => {
    const target = `/token/${token}`
    await ask(target)
    cut(['dexscreener', 'geckoterminal'], kind)
    await world.pass(30 * SECOND_MS)
    expect(partOf(await ask(target), 'dexscreener')).toMatchObject({ status: 'aged' })
    await world.pass(20 * SECOND_MS)
    for (const what of [target, `${target}/score`, `${target}/diagnose`, `/price/${token}`])
      expect((await ask(what)).status, what).toBe(503)
    mend(['dexscreener', 'geckoterminal'])
    await world.pass(35 * SECOND_MS)
    await ask(target)
    expect(partOf(await ask(target), 'dexscreener')).toMatchObject({ status: 'fresh' })
  })

  it('a new token is not sold as if it were checked while no risk source can answer', async () => {
    // No list of trending pools has these, so that nothing is known of them yet.
    const others = world.tokens.tokens.filter(({ symbol }) => MONEY.includes(symbol))
    const kinds = ['hang', 'wrong_types', 'limit'] as const
    for (const [i, { address }] of others.entries()) {
      cut(['goplus', 'honeypot', 'blockscout'], kinds[i] ?? 'hang')
      for (const what of ['', '/score', '/diagnose'])
        expect(await ask(`/token/${address}${what}`), what).toMatchObject({
          status: 503,
          json: { code: 'upstream_unavailable', detail: /neither GoPlus nor honeypot.is/ },
        })
      expect((await ask(`/price/${address}`)).status).toBe(200)
      mend(['honeypot'])
      await world.pass(30 * SECOND_MS, 5_000)
      await ask(`/token/${address}`)
      const asked = await ask(`/token/${address}`)
      expect(asked.status).toBe(200)
      for (const source of ['goplus', 'blockscout'])
        expect(partOf(asked, source), source).toMatchObject({ status: 'missing', reason: /source|answer/ })
      mend(['goplus', 'blockscout'])
      await world.pass(30 * SECOND_MS, 5_000)
    }
  })

  it('a node that hangs keeps nobody from a token that has a market', async () => {
    const [other] = world.tokens.tokens.filter(({ address }) => address !== token).slice(-5)
    world.node.fail('hang')
    const asked = await ask(`/token/${other?.address}`)
    world.node.fail()
    expect(asked.status).toBe(200)
    expect(partOf(asked, 'base_node')).toMatchObject({ status: 'missing' })
  })

  it('a model that hangs is replaced by rules', async () => {
    const [other] = world.tokens.tokens.filter(({ address }) => address !== token).slice(-7)
    cut(['llm'], 'hang')
    const asked = await ask(`/token/${other?.address}/diagnose`)
    mend(['llm'])
    expect(asked).toMatchObject({ status: 200, json: { written_by: 'rules', fallback_reason: /./ } })
  })

  it('trending pools are sold for five minutes, and again when they are back', async () => {
    cut(['geckoterminal'], 'truncate')
    await world.skip(4 * MINUTE_MS)
    expect((await ask('/trending')).status).toBe(200)
    await world.skip(2 * MINUTE_MS)
    expect((await ask('/trending')).status).toBe(503)
    mend(['geckoterminal'])
    await world.pass(RECOVERY_MS, 5_000)
    expect((await ask('/trending')).status).toBe(200)
  })

  it('whales need trades or transfers, and a bundle three of its four parts', async () => {
    cut(['coinlobster', 'binance_futures', 'bybit', 'okx', 'hyperliquid'], 'reset')
    world.hear(false)
    await world.skip(11 * MINUTE_MS)
    const whales = await ask('/whales')
    expect(whales.json.parts).toMatchObject({
      large_trades: { status: 'missing' },
      bitcoin_transfers: { status: 'fresh' },
      base_transfers: { status: 'fresh' },
    })
    expect(await ask('/agent-pulse')).toMatchObject({
      status: 503,
      json: { detail: /whales: .*macro: / },
    })
    expect((await ask('/quick-brief')).status).toBe(200)
    cut(['mempool'], 'empty')
    world.node.fail('error')
    await world.skip(16 * MINUTE_MS)
    expect((await ask('/whales')).status).toBe(503)
    mend(PROVIDERS)
    world.node.fail()
    world.hear(true)
    await world.pass(RECOVERY_MS, 5_000)
    expect(statusesOf(await askAll(), 503)).toEqual([])
    expect((await ask('/whales')).json.parts).toMatchObject({
      large_trades: { status: 'fresh' },
      bitcoin_transfers: { status: 'fresh' },
      base_transfers: { status: 'fresh' },
    })
  })
})

/** Sources and ways to fail, a part of them in every run. */
const PAIRS = PROVIDERS.flatMap((provider) => OUTAGE_KINDS.map((kind) => ({ provider, kind })))
const TRIED = PAIRS.filter((_, i) => i % searchSize('intel-outage-step') === 0)

it.each(TRIED)('nothing breaks while $provider fails ($kind), and all is well afterwards', async (pair) => {
  cut([pair.provider], pair.kind)
  await world.skip(2 * MINUTE_MS)
  await askAll()
  mend([pair.provider])
  await world.pass(RECOVERY_MS, 5_000)
  expect(statusesOf(await askAll(), 503)).toEqual([])
})

describe('while all sources are away', () => {
  it.each(['hang', 'wrong_types'] as const)('all is sold again without a restart: %s', async (kind) => {
    cut(PROVIDERS, kind)
    world.hear(false)
    world.node.fail('hang')
    await world.pass(25 * SECOND_MS, 5_000)
    expect(statusesOf(await askAll(), 503)).toEqual([])
    await world.skip(20 * MINUTE_MS)
    const after = statusesOf(await askAll(), 503)
    expect(after).toEqual(
      expect.arrayContaining(['/trending', '/market-intel', '/whales', `/token/${token}`]),
    )
    mend(PROVIDERS)
    world.hear(true)
    world.node.fail()
    await world.pass(RECOVERY_MS, 5_000)
    expect(statusesOf(await askAll(), 503)).toEqual([])
  })

  it('days later nothing of theirs is sold, and nothing charged', async () => {
    cut(PROVIDERS, 'frozen')
    await world.skip(15 * HOUR_MS)
    expect(partOf(await ask('/market-mood'), 'alternative.me')).toMatchObject({ status: 'aged' })
    cut(PROVIDERS, 'error')
    world.hear(false)
    world.node.fail('error')
    for (let hours = 0; hours < 24; hours += 8) await world.skip(8 * HOUR_MS)
    const all = await askAll()
    // Prices and signals are not theirs; each is sold as long as momentum and half of the weight are known.
    expect(statusesOf(all, 200).toSorted()).toEqual(['/quick-brief'])
    const parts = all.get('/quick-brief')?.json.parts
    expect(parts).toMatchObject({
      mood: { status: 'missing', reason: /./ },
      performance: { source: 'sandbox:bot_ledger', timestamp: /Z$/, status: 'fresh' },
    })
  })
})
