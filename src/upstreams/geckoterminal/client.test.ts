import { describe, expect, it } from 'vitest'
import { createScriptedUpstream } from '../../testing/upstreams/scripted-upstream.ts'
import {
  geckoCandles,
  geckoInfo,
  geckoPool,
  geckoPools,
  geckoPrices,
  geckoToken,
  OTHER_TOKEN,
  TOKEN,
  V4_POOL,
  WETH,
} from '../../testing/upstreams/token-payloads.ts'
import { createGeckoTerminal } from './client.ts'

function open(answer: unknown) {
  const upstream = createScriptedUpstream(() => answer)
  return { ...createGeckoTerminal(upstream), asked: upstream.asked }
}

describe('GeckoTerminal', () => {
  it('lists trending pools with the tokens that were sent along', async () => {
    const gecko = open(geckoPools([geckoPool({ name: 'PUFFIN / WETH 1%' })]))
    const { pools, skipped } = await gecko.trendingPools('6h')
    expect(gecko.asked).toEqual([
      {
        path: '/networks/base/trending_pools',
        query: { duration: '6h', include: 'base_token,quote_token,dex' },
      },
    ])
    expect(skipped.count).toBe(0)
    expect(pools).toMatchObject([
      {
        id: V4_POOL,
        name: 'PUFFIN / WETH 1%',
        base: { network: 'base', address: TOKEN, symbol: 'PUFFIN', decimals: 18 },
        quote: { address: WETH, symbol: 'WETH' },
        quotePriceUsd: 3120.55,
        liquidityUsd: 54_000.25,
        marketCapUsd: undefined,
        trades: { h1: { buys: 4, sellers: 2 } },
      },
    ])
  })

  it('keeps a pool without names, figures or exchange, and leaves them open', async () => {
    const bare = {
      ...geckoPool(),
      attributes: { address: V4_POOL, base_token_price_usd: '0', volume_usd: null, transactions: 7 },
      relationships: {
        base_token: { data: { id: `base_${TOKEN}` } },
        quote_token: { data: { id: `base_${WETH}` } },
      },
    }
    const { pools } = await open({ data: [bare] }).trendingPools('1h')
    expect(pools).toMatchObject([
      {
        name: '',
        dex: undefined,
        base: { address: TOKEN, symbol: '', decimals: undefined },
        basePriceUsd: undefined,
        liquidityUsd: undefined,
        createdAtMs: undefined,
        volumeUsd: { h24: undefined },
        trades: { h24: undefined },
      },
    ])
  })

  it('leaves out pools that break the format, and those of other networks', async () => {
    const elsewhere = { ...geckoPool(), id: `polygon_pos_${V4_POOL}` }
    const broken = geckoPool({ reserve_in_usd: '-5' })
    const { pools, skipped } = await open(geckoPools([geckoPool(), broken, elsewhere])).trendingPools('5m')
    expect([pools.length, skipped.count]).toEqual([1, 1])
    expect(skipped.reasons[0]).toContain('[1] attributes.reserve_in_usd: expected a number')
  })

  it.each([
    ['most pools break the format', geckoPools([geckoPool(), {}, {}])],
    ['there is no list', { data: null }],
    ['it is a text', 'down for maintenance'],
  ])('refuses a reply where %s', async (_, reply) => {
    await expect(open(reply).trendingPools('1h')).rejects.toMatchObject({ fault: 'malformed' })
  })

  it('splits a reference from the right: a network may have underscores', async () => {
    const pool = {
      ...geckoPool(),
      relationships: {
        base_token: { data: { id: `polygon_pos_${TOKEN.toUpperCase().replace('0X', '0x')}` } },
        quote_token: { data: { id: `base_${WETH}` } },
      },
    }
    const { pools } = await open(geckoPools([pool])).trendingPools('1h')
    expect(pools[0]?.base).toMatchObject({ network: 'polygon_pos', address: TOKEN })
  })

  it('gives prices of the tokens that have one', async () => {
    const gecko = open(geckoPrices())
    const prices = await gecko.tokenPrices([TOKEN.toUpperCase().replace('0X', '0x'), OTHER_TOKEN, TOKEN])
    expect(gecko.asked[0]?.path).toBe(`/simple/networks/base/token_price/${TOKEN},${OTHER_TOKEN}`)
    expect([...prices.keys()]).toEqual([TOKEN])
    expect(prices.get(TOKEN)).toEqual({
      priceUsd: 0.00042,
      marketCapUsd: undefined,
      volume24hUsd: 90_123.75,
      change24hPercent: -12.5,
      liquidityUsd: 54_000.25,
      lastTradeMs: 1_790_000_000_000,
    })
    await expect(open({ data: { attributes: {} } }).tokenPrices([TOKEN])).rejects.toMatchObject({
      fault: 'malformed',
    })
  })

  it.each([
    ['no address', []],
    ['more than 30', Array.from({ length: 31 }, (_, i) => `0x${String(i).padStart(40, '0')}`)],
    ['what is no address', [`${TOKEN}/../x`]],
  ])('does not ask for %s', async (_, addresses) => {
    const gecko = open(geckoPrices())
    await expect(gecko.tokenPrices(addresses)).rejects.toThrow('not sent')
    expect(gecko.asked).toEqual([])
  })

  it('tells of a token and of what it thinks of it', async () => {
    expect(await open(geckoToken()).token(TOKEN)).toMatchObject({
      address: TOKEN,
      totalSupply: 1e9,
      priceUsd: 0.00042,
      topPools: [V4_POOL],
    })
    expect(await open(geckoInfo()).tokenInfo(TOKEN)).toMatchObject({
      score: 61.25,
      holders: { count: 1200, top10Percent: 40.5, updatedAtMs: Date.UTC(2026, 8, 22, 10) },
      canMint: undefined,
      canFreeze: false,
      isHoneypot: undefined,
      websites: 1,
    })
    const bare = await open(geckoInfo({ holders: null, gt_score: null })).tokenInfo(TOKEN)
    expect([bare?.holders, bare?.score]).toEqual([undefined, undefined])
  })

  it('knows what it does not have, and trusts no reply about another token', async () => {
    expect(await open(undefined).token(TOKEN)).toBeUndefined()
    expect(await open(undefined).tokenInfo(TOKEN)).toBeUndefined()
    expect(await open(undefined).poolCandles(V4_POOL, { timeframe: 'hour' })).toBeUndefined()
    await expect(open(geckoToken()).token(OTHER_TOKEN)).rejects.toMatchObject({ fault: 'malformed' })
    await expect(open(geckoInfo()).tokenInfo(OTHER_TOKEN)).rejects.toMatchObject({ fault: 'malformed' })
  })

  it('gives candles, oldest first, of pools with either kind of id', async () => {
    const gecko = open(geckoCandles())
    const candles = await gecko.poolCandles(V4_POOL, { timeframe: 'minute', aggregate: 5, limit: 9_999 })
    expect(candles?.map(({ openMs, close }) => [openMs, close])).toEqual([
      [1_790_000_060_000, 0.00041],
      [1_790_000_120_000, 0.00042],
    ])
    expect(gecko.asked).toEqual([
      {
        path: `/networks/base/pools/${V4_POOL}/ohlcv/minute`,
        query: { aggregate: 5, limit: 1000, before_timestamp: undefined, currency: 'usd', token: 'base' },
      },
    ])
    await gecko.poolCandles(TOKEN, { timeframe: 'day' })
    await expect(gecko.poolCandles('0x12', { timeframe: 'day' })).rejects.toThrow('not a pool')
    const odd = [1_790_000_060, null, 1, 1, 1, 1]
    await expect(open(geckoCandles([odd])).poolCandles(V4_POOL, { timeframe: 'day' })).rejects.toMatchObject({
      fault: 'malformed',
    })
  })
})
