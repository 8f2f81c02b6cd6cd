import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { DAY_MS, MINUTE_MS } from '../../../core/time/time.ts'
import {
  security,
  simulation,
  TOKENS_NOON_MS,
  tokenPorts,
  WETH,
} from '../../../testing/tokens/hand-made-tokens.ts'
import type { GeckoPool } from '../../../upstreams/geckoterminal/pool-wire.ts'
import { PoolsReply } from '../../../upstreams/geckoterminal/pool-wire.ts'
import { UpstreamError } from '../../../upstreams/upstream.ts'
import type { Part } from '../../part.ts'
import { createTokenFacts } from '../facts/token-facts.ts'
import type { TokenPorts } from '../facts/token-ports.ts'
import { SCAM_MARKS, type ScamMark, scamMarks } from './scam-marks.ts'
import { createTrending } from './trending.ts'
import { type TrendingPool, toTrendingPool } from './trending-pool.ts'
import { trendingScore } from './trending-score.ts'

const tokenOf = (i: number) => `0x${i.toString(16).padStart(40, 'b')}`

/** A pool as GeckoTerminal sends it, read by its own schema. */
function geckoPool(i: number, attributes: Record<string, unknown> = {}, token = tokenOf(i)): GeckoPool {
  const id = `0x${i.toString(16).padStart(40, 'a')}`
  const day = { buys: 900, sells: 800, buyers: 400, sellers: 350 }
  const reply = {
    data: [
      {
        id: `base_${id}`,
        attributes: {
          address: id,
          name: 'CUP / WETH',
          base_token_price_usd: '1.5',
          reserve_in_usd: '500000',
          pool_created_at: new Date(TOKENS_NOON_MS - 90 * DAY_MS).toISOString(),
          price_change_percentage: { h24: '3.5' },
          volume_usd: { h1: '40000', h24: '600000' },
          transactions: { h1: { buys: 60, sells: 40, buyers: 30, sellers: 20 }, h24: day },
          ...attributes,
        },
        relationships: {
          base_token: { data: { id: `base_${token}` } },
          quote_token: { data: { id: 'base_0x4200000000000000000000000000000000000006' } },
          dex: { data: { id: 'uniswap-v3-base' } },
        },
      },
    ],
    included: [
      { id: `base_${token}`, type: 'token', attributes: { name: `Coffee ${i}`, symbol: `CUP${i}` } },
    ],
  }
  const [pool] = PoolsReply.parse(reply).pools
  if (!pool) throw new Error('the pool was refused')
  return pool
}

function pool(attributes: Record<string, unknown> = {}): TrendingPool {
  const found = toTrendingPool(geckoPool(1, attributes))
  if (!found) throw new Error('the pool has no figures')
  return found
}
const CLEAN = { security: security(), simulation: simulation() }
const fresh = <T>(value: T): Part<T> => ({ source: 'x', status: 'fresh', value, asOfMs: TOKENS_NOON_MS })
const silent: Part<never> = { source: 'x', status: 'missing', reason: 'the source does not answer' }
const marksOf = (attributes: Record<string, unknown>, check: Partial<typeof CLEAN> = {}): ScamMark[] => {
  const told = { ...CLEAN, ...check }
  const parts = { security: fresh(told.security), simulation: fresh(told.simulation) }
  return scamMarks(pool(attributes), parts, TOKENS_NOON_MS)
}

describe('marks', () => {
  test('an honest pool has none', () => {
    expect(marksOf({})).toEqual([])
  })
  test.each<[ScamMark, Record<string, unknown>]>([
    ['collapsed', { price_change_percentage: { h24: '-90' } }],
    ['low_liquidity', { reserve_in_usd: '9999', volume_usd: { h24: '9999' } }],
    ['low_liquidity', { reserve_in_usd: null }],
    ['churned_volume', { volume_usd: { h24: '25000000' } }],
    ['young', { pool_created_at: new Date(TOKENS_NOON_MS - DAY_MS + 1_000).toISOString() }],
    ['young', { pool_created_at: null }],
    ['few_sells', { transactions: { h24: { buys: 30, sells: 3, buyers: 20, sellers: 3 } } }],
    ['reported', { community_sus_report: 10 }],
  ])('%s', (mark, attributes) => {
    expect(marksOf(attributes)).toEqual([mark])
  })
  test.each<[string, Record<string, unknown>]>([
    ['a smaller fall', { price_change_percentage: { h24: '-89.9' } }],
    ['enough liquidity', { reserve_in_usd: '12000' }],
    ['less churn', { volume_usd: { h24: '24999999' } }],
    ['a day old', { pool_created_at: new Date(TOKENS_NOON_MS - DAY_MS).toISOString() }],
    ['too few buys to tell', { transactions: { h24: { buys: 29, sells: 0, buyers: 20, sellers: 0 } } }],
    ['a few reports', { community_sus_report: 9 }],
  ])('%s is no mark', (_, attributes) => {
    expect(marksOf({ volume_usd: { h24: '500000' }, ...attributes })).toEqual([])
  })
  test.each<[ScamMark, Partial<typeof CLEAN>]>([
    ['honeypot', { security: security({ is_honeypot: '1' }) }],
    ['honeypot', { simulation: simulation({ honeypotResult: { isHoneypot: true } }) }],
    ['high_tax', { simulation: simulation({ simulationResult: { buyTax: 0, sellTax: 15 } }) }],
    ['dangerous_owner', { security: security({ hidden_owner: '1' }) }],
    ['imitation', { security: security({ is_true_token: '0' }) }],
    ['imitation', { security: security({ fake_token: { value: 1, true_token_address: WETH } }) }],
    ['dangerous_owner', { security: security({ is_anti_whale: '1', anti_whale_modifiable: '1' }) }],
    ['hindered_sales', { security: security({ cannot_buy: '1' }) }],
    ['hindered_sales', { simulation: simulation({ flags: ['high_fail_rate'] }) }],
    ['hindered_sales', { simulation: simulation({ holderAnalysis: { holders: '100', failed: '20' } }) }],
    ['hindered_sales', { simulation: simulation({ holderAnalysis: { holders: '100', siphoned: '1' } }) }],
    ['high_tax', { simulation: simulation({ holderAnalysis: { holders: '100', averageTax: 15 } }) }],
  ])('%s, as the risk sources tell it', (mark, check) => {
    expect(marksOf({}, check)).toEqual([mark])
  })
  test('what nobody has looked at is marked as that', () => {
    expect(scamMarks(pool(), { security: silent, simulation: silent }, TOKENS_NOON_MS)).toEqual(['unchecked'])
  })
})

describe('the score', () => {
  test('is the sum of its weights', () => {
    const full = pool({
      reserve_in_usd: '2000000',
      volume_usd: { h1: '2000000', h24: '10000000' },
      transactions: {
        h1: { buys: 1, sells: 1, buyers: 60, sellers: 40 },
        h24: { buys: 1, sells: 1, buyers: 3_000, sellers: 2_000 },
      },
    })
    expect(trendingScore(full, []).score).toBe(100)
    expect(trendingScore(full, ['young', 'reported']).score).toBe(40)
    expect(trendingScore(full, ['honeypot']).score).toBe(0)
  })
  test('nothing known earns nothing', () => {
    const empty = pool({ reserve_in_usd: null, volume_usd: { h24: '0' }, transactions: null })
    const { score, components } = trendingScore(empty, [])
    expect(score).toBe(0)
    expect(components.map(({ value }) => value)).toEqual([0, undefined, undefined, undefined, undefined])
  })
  test.each(Object.keys(SCAM_MARKS) as ScamMark[])('%s never raises it', (mark) => {
    expect(trendingScore(pool(), [mark]).score).toBeLessThan(trendingScore(pool(), []).score)
  })
})

test('a pool without price, change or volume is left out', () => {
  expect(toTrendingPool(geckoPool(1, { base_token_price_usd: null }))).toBeUndefined()
  expect(toTrendingPool(geckoPool(1, { price_change_percentage: {} }))).toBeUndefined()
  expect(toTrendingPool(geckoPool(1, { volume_usd: null }))).toBeUndefined()
})

test('money is always traded most and does not trend', () => {
  expect(toTrendingPool(geckoPool(1, {}, '0x4200000000000000000000000000000000000006'))).toBeUndefined()
})

test('names are cleaned, and one that cannot be seen is unnamed', () => {
  const found = geckoPool(1)
  const hostile = { ...found, base: { ...found.base, name: '\u202eIGNORE\u0000', symbol: '\u200b' } }
  expect(toTrendingPool(hostile)?.token).toMatchObject({ name: 'IGNORE', symbol: 'unnamed' })
})

describe('the list', () => {
  function start(
    trendingPools: (duration: string) => Promise<readonly GeckoPool[]>,
    over: Partial<TokenPorts> = {},
  ) {
    const clock = createManualClock(TOKENS_NOON_MS)
    const ports = tokenPorts({
      security: async () => security(),
      simulation: async () => simulation(),
      ...over,
    })
    const facts = createTokenFacts({ ports, clock, random: () => 0.5 })
    const skipped = { count: 0, reasons: [] }
    const trending = createTrending({
      clock,
      random: () => 0.5,
      facts,
      trendingPools: async (duration) => ({ pools: await trendingPools(duration), skipped }),
    })
    return { clock, trending }
  }
  const many = (count: number) => Array.from({ length: count }, (_, i) => geckoPool(i + 1))

  test('has ten pools, one for each token, the highest score first', async () => {
    const doubled = geckoPool(99, { reserve_in_usd: '900000' }, tokenOf(3))
    const { trending } = start(async (duration) => (duration === '1h' ? many(8) : [...many(20), doubled]))
    await trending.start()
    const { value, status } = trending.list()
    trending.stop()
    expect(status).toBe('fresh')
    expect(value?.candidates).toBe(20)
    expect(value?.pools).toHaveLength(10)
    expect(new Set(value?.pools.map(({ token }) => token.address)).size).toBe(10)
    expect(value?.pools[0]).toMatchObject({ id: doubled.id, token: { address: tokenOf(3) }, marks: [] })
    const scores = value?.pools.map(({ score }) => score) ?? []
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  })
  test('a honeypot sinks to the end and is marked', async () => {
    const { trending } = start(async () => many(5), {
      security: async (address) => security({ is_honeypot: address === tokenOf(2) ? '1' : '0' }),
    })
    await trending.start()
    trending.stop()
    expect(trending.list().value?.pools.at(-1)).toMatchObject({
      token: { address: tokenOf(2) },
      marks: ['honeypot'],
      score: 0,
    })
  })
  test('one of the two lists is enough; without both the last one ages and then is missing', async () => {
    let isDown = false
    const { clock, trending } = start(async (duration) => {
      if (isDown || duration === '1h') throw new UpstreamError('down', 'no connection')
      return many(3)
    })
    await trending.start()
    expect(trending.list()).toMatchObject({ status: 'fresh', value: { candidates: 3 } })
    isDown = true
    clock.advance(2 * MINUTE_MS + 1)
    expect(trending.list().status).toBe('aged')
    clock.advance(3 * MINUTE_MS)
    expect(trending.list()).toMatchObject({ status: 'missing', reason: expect.stringContaining('too old') })
    trending.stop()
  })
  test('an empty list is none: the last good one is served on until it is too old', async () => {
    let pools = many(0)
    const { clock, trending } = start(async () => pools)
    await trending.start()
    expect(trending.list().status).toBe('missing')
    pools = many(3)
    await trending.start()
    pools = many(0)
    await trending.start()
    expect(trending.list()).toMatchObject({ status: 'fresh', value: { candidates: 3 } })
    trending.stop()
    clock.advance(5 * MINUTE_MS + 1)
    expect(trending.list().status).toBe('missing')
  })
  test('risk sources that are down leave the pools unchecked, and listed', async () => {
    const down = () => Promise.reject(new UpstreamError('down', 'no connection'))
    const { trending } = start(async () => many(3), { security: down, simulation: down })
    await trending.start()
    trending.stop()
    const { value } = trending.list()
    expect(value?.pools.map(({ marks }) => marks)).toEqual(Array(3).fill(['unchecked']))
    expect(value?.pools.map(({ checkedBy }) => checkedBy)).toEqual(Array(3).fill([]))
    const reason = 'the source does not answer'
    expect(value?.risks).toEqual([
      { source: 'goplus', status: 'missing', reason },
      { source: 'honeypot.is', status: 'missing', reason },
    ])
  })
  test('says how old the oldest risk check is that a score rests on', async () => {
    const isDown = { simulation: false }
    let volume = 600_000
    const { clock, trending } = start(
      async () => {
        volume++
        return [1, 2, 3].map((i) => geckoPool(i, { volume_usd: { h1: '40000', h24: String(volume) } }))
      },
      {
        simulation: async (address) => {
          if (isDown.simulation || address === tokenOf(3)) throw new UpstreamError('down', 'no connection')
          return simulation()
        },
      },
    )
    await trending.start()
    const at = { asOfMs: TOKENS_NOON_MS, value: undefined }
    expect(trending.list().value).toMatchObject({
      risks: [
        { source: 'goplus', status: 'fresh', ...at },
        { source: 'honeypot.is', status: 'fresh', ...at },
      ],
      pools: [
        { checkedBy: ['goplus', 'honeypot.is'] },
        { checkedBy: ['goplus', 'honeypot.is'] },
        { token: { address: tokenOf(3) }, checkedBy: ['goplus'], marks: [] },
      ],
    })
    isDown.simulation = true
    clock.advance(6 * MINUTE_MS)
    await trending.start()
    expect(trending.list().value?.risks).toMatchObject([
      { source: 'goplus', status: 'fresh', ...at },
      { source: 'honeypot.is', status: 'aged', ...at },
    ])
    clock.advance(25 * MINUTE_MS)
    await trending.start()
    trending.stop()
    expect(trending.list().value?.risks[1]).toMatchObject({ source: 'honeypot.is', status: 'missing' })
  })
})
