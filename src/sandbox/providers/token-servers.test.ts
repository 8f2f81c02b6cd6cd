import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTokenSources, type TokenSources } from '../../app/intel/token-sources.ts'
import { createHosts, type Hosts } from '../../app/upstream-hosts.ts'
import { silentLog } from '../../core/log.ts'
import { createManualClock, type ManualClock } from '../../core/time/manual-clock.ts'
import { type Internet, startInternet } from '../internet.ts'
import { createSimulatedMarket } from '../market/simulated-market.ts'
import { createTokenWorld } from '../tokens/create-token-world.ts'
import type { SimToken, TokenWorld } from '../tokens/token-world.ts'

const START_MS = Date.UTC(2026, 4, 6, 1)
const NOBODY = `0x${'00'.repeat(19)}42`
let world: TokenWorld
let internet: Internet
let clock: ManualClock
let hosts: Hosts
let sources: TokenSources

beforeAll(async () => {
  const market = createSimulatedMarket({ seed: 'tokens', startMs: START_MS })
  world = createTokenWorld({ seed: 'tokens', market })
  clock = createManualClock(START_MS)
  internet = await startInternet({ market, clock, tokens: world })
  hosts = createHosts({ clock, log: silentLog, random: () => 0.5 })
  sources = openTokenSources({ hosts, upstreams: internet.urls, clock })
})
afterAll(async () => {
  hosts.close()
  await internet.close()
})

const isRugged = ({ ruggedAtMs }: SimToken) => ruggedAtMs !== undefined && ruggedAtMs <= START_MS
const priceOf = (address: string) => world.priceUsd(address, START_MS) ?? Number.NaN
const stateOf = (id: string) => {
  const state = world.pool(id, START_MS)
  if (!state) throw new Error(`no pool ${id}`)
  return state
}
const isV4 = ({ pools }: SimToken) => pools.every(({ dex }) => dex === 'uniswap-v4-base')
function find(what: string, isIt: (token: SimToken) => boolean): SimToken {
  const token = world.tokens.find(isIt)
  if (!token) throw new Error(`no token that is ${what}`)
  return token
}
/** Within so much of the other. */
const expectNear = (value: number | undefined, other: number, share: number) =>
  expect(Math.abs((value ?? Number.NaN) / other - 1)).toBeLessThanOrEqual(share)

/** What the limits of the others allow in a minute is spent after some requests. */
const nextMinute = () => clock.advance(61_000)

describe('our own clients read the simulated sources of tokens', () => {
  it('every token has one price everywhere, rounded as each source rounds', async () => {
    const addresses = world.tokens.map(({ address }) => address)
    for (let i = 0; i < addresses.length; i += 30) {
      const batch = addresses.slice(i, i + 30)
      const prices = await sources.geckoTerminal.tokenPrices(batch)
      expect([...prices.keys()].sort()).toEqual([...batch].sort())
      for (const [address, { priceUsd }] of prices) expectNear(priceUsd, priceOf(address), 1e-12)
    }
    const found = Promise.all(addresses.map(sources.pairsByToken.pairsOf))
    clock.advance(10)
    for (const [i, pairs] of (await found).entries()) {
      expect([addresses[i], pairs.length > 0]).toEqual([addresses[i], true])
      for (const pair of pairs) {
        expectNear(pair.basePriceUsd, priceOf(pair.base.address), 6e-4)
        expectNear(pair.quotePriceUsd, priceOf(pair.quote.address), 2e-3)
      }
    }
  })

  it('trending pools are those of the world', async () => {
    const { pools, skipped } = await sources.geckoTerminal.trendingPools('1h')
    expect([pools.length, skipped.count]).toEqual([20, 0])
    for (const pool of pools) {
      const state = stateOf(pool.id)
      expectNear(pool.basePriceUsd, state.priceUsd, 1e-12)
      expectNear(pool.quotePriceUsd, priceOf(pool.quote.address), 1e-12)
      expect(pool.liquidityUsd).toBeCloseTo(state.liquidityUsd, 3)
      expect(pool.volumeUsd.h24).toBeCloseTo(state.volumeUsd.h24, 6)
      expect(pool.changePercent.h6).toBeCloseTo(state.change.h6, 2)
      expect(pool.trades.h1).toEqual(state.trades.h1)
      const token = world.token(pool.base.address)
      expect(pool.base).toMatchObject({ symbol: token?.symbol.slice(0, 200), decimals: token?.decimals })
      expect(pool.volumeUsd.m15).toBeGreaterThanOrEqual(pool.volumeUsd.m5 ?? Number.NaN)
    }
    expect((await sources.geckoTerminal.trendingPools('24h')).pools.map(({ id }) => id)).not.toEqual(
      pools.map(({ id }) => id),
    )
  })

  it('a token, what is thought of it, its candles and its pairs', async () => {
    const token = find('in two pools', ({ pools }) => pools.length === 2)
    const [first] = token.pools
    const found = await sources.geckoTerminal.token(token.address)
    expect(found).toMatchObject({ symbol: token.symbol, decimals: token.decimals })
    expect(found?.totalSupply).toBe(Number(token.totalSupply) / 10 ** token.decimals)
    expect([...(found?.topPools ?? [])].sort()).toEqual(token.pools.map(({ id }) => id).sort())
    const info = await sources.geckoTerminal.tokenInfo(token.address)
    expect(info?.holders?.count).toBe(world.holderCount(token.address, START_MS))
    expect(info?.score).toBeGreaterThan(0)
    const { pairs } = await sources.dexScreener.tokenPairs(token.address)
    expect(pairs.map(({ id }) => id).sort()).toEqual(token.pools.map(({ id }) => id).sort())
    for (const pair of pairs) expect(pair.liquidityUsd).toBeCloseTo(stateOf(pair.id).liquidityUsd, 1)
    const candles = await sources.geckoTerminal.poolCandles(first?.id ?? '', {
      timeframe: 'minute',
      limit: 3,
    })
    expect(candles?.map(({ openMs }) => openMs)).toEqual([START_MS - 120_000, START_MS - 60_000, START_MS])
    for (const { open, high, low, close } of candles ?? []) {
      expect(high).toBeGreaterThanOrEqual(Math.max(open, close))
      expect(low).toBeLessThanOrEqual(Math.min(open, close))
    }
    expect(candles?.at(-1)?.close).toBe(priceOf(token.address))
  })

  it('what is dangerous about a token, in the words of each source', async () => {
    const kinds: readonly [string, SimToken][] = [
      ['honest', find('honest', ({ traits, ruggedAtMs }) => !ruggedAtMs && traits.lockedLiquidity > 0.9)],
      ['honeypot', find('a honeypot', (each) => each.traits.isHoneypot && !isV4(each))],
      ['taxed', find('taxed', ({ traits }) => traits.sellTax > 0 && !traits.isHoneypot)],
      ['closed', find('closed', ({ traits }) => !traits.isOpenSource)],
      ['minted', find('mintable', ({ traits }) => traits.canMint && traits.isOpenSource)],
    ]
    for (const [kind, token] of kinds) {
      const { traits } = token
      const security = await sources.goPlus.tokenSecurity(token.address)
      expect([kind, security?.isHoneypot, security?.isOpenSource, security?.canMint]).toEqual([
        kind,
        traits.isHoneypot,
        traits.isOpenSource,
        traits.isOpenSource ? traits.canMint : undefined,
      ])
      expect(security?.sellTax).toBe(traits.isHoneypot ? undefined : traits.sellTax)
      expect(security?.owner).toBe(token.owner ?? 'none')
      expect(security?.holders?.[0]?.share).toBe(world.holders(token.address, START_MS)[0]?.share)
      const locked = security?.lpHolders?.find(({ isLocked }) => isLocked)?.share ?? 0
      expect([kind, locked]).toEqual([kind, expect.closeTo(isRugged(token) ? 0 : traits.lockedLiquidity, 9)])
      const tried = await sources.honeypot.simulate(token.address)
      expect([kind, tried === undefined]).toEqual([kind, isV4(token)])
      if (!tried || isRugged(token)) continue
      expect([kind, tried.verdict]).toEqual([kind, traits.isHoneypot ? 'honeypot' : 'sellable'])
      expect([kind, tried.sellTax]).toEqual([kind, traits.isHoneypot ? 1 : traits.sellTax])
      expect(tried.isOpenSource).toBe(traits.isOpenSource)
    }
  })

  it('a rug: an empty pool, nothing locked, and nothing that could be tried', async () => {
    nextMinute()
    const token = find('rugged', (each) => isRugged(each) && !isV4(each))
    const { pairs } = await sources.dexScreener.tokenPairs(token.address)
    const found = await sources.geckoTerminal.token(token.address)
    const security = await sources.goPlus.tokenSecurity(token.address)
    expect(pairs[0]?.liquidityUsd).toBeLessThan(1_000)
    expectNear(found?.liquidityUsd, stateOf(token.pools[0]?.id ?? '').liquidityUsd, 1e-9)
    expectNear(security?.pools[0]?.liquidityUsd, stateOf(token.pools[0]?.id ?? '').liquidityUsd, 1e-6)
    expect(security?.lpHolders?.some(({ isLocked }) => isLocked)).toBe(false)
    expect((await sources.honeypot.simulate(token.address))?.verdict).toBe('inconclusive')
    const { pools } = await sources.geckoTerminal.trendingPools('24h')
    expect(pools.map(({ base }) => base.address)).not.toContain(token.address)
  })

  it('an address that is no token', async () => {
    nextMinute()
    const pairs = sources.pairsByToken.pairsOf(NOBODY)
    clock.advance(10)
    expect(await pairs).toEqual([])
    expect((await sources.dexScreener.tokenPairs(NOBODY)).pairs).toEqual([])
    expect(await sources.geckoTerminal.token(NOBODY)).toBeUndefined()
    expect(await sources.geckoTerminal.tokenInfo(NOBODY)).toBeUndefined()
    expect(await sources.geckoTerminal.tokenPrices([NOBODY])).toEqual(new Map())
    expect(await sources.goPlus.tokenSecurity(NOBODY)).toBeUndefined()
    expect(await sources.honeypot.simulate(NOBODY)).toBeUndefined()
    expect(await sources.geckoTerminal.poolCandles(NOBODY, { timeframe: 'day' })).toBeUndefined()
  })

  it.each([
    ['GECKOTERMINAL', '/networks/base/trending_pools?duration=2h', 400],
    ['GECKOTERMINAL', '/networks/base/trending_pools?page=11', 400],
    ['GECKOTERMINAL', `/simple/networks/base/token_price/${',x'.repeat(30)}`, 422],
    ['GECKOTERMINAL', '/networks/eth/trending_pools', 404],
    ['DEXSCREENER', `/tokens/v1/base/${',x'.repeat(30)}`, 400],
    ['DEXSCREENER', '/tokens/v1/base/x', 200],
    ['HONEYPOT', '/v2/IsHoneypot?address=x', 400],
    ['HONEYPOT', `/v2/IsHoneypot?address=${NOBODY}&chainID=1`, 404],
    ['GOPLUS', '/api/v1/token_security/8453?contract_addresses=x', 200],
    ['GOPLUS', `/api/v1/token_security/1?contract_addresses=${NOBODY}`, 404],
  ] as const)('%s answers %s with %i', async (host, path, status) => {
    nextMinute()
    expect((await fetch(internet.urls[host] + path)).status).toBe(status)
  })

  it('30 requests a minute, then 429; a client that hears it asks no more', async () => {
    nextMinute()
    const url = `${internet.urls.GOPLUS}/api/v1/token_security/8453?contract_addresses=${NOBODY}`
    for (let i = 0; i < 30; i++) expect((await fetch(url)).status).toBe(200)
    await expect(sources.goPlus.tokenSecurity(NOBODY)).rejects.toMatchObject({
      fault: 'refused',
      status: 429,
    })
    await expect(sources.goPlus.tokenSecurity(NOBODY)).rejects.toMatchObject({ fault: 'busy' })
    nextMinute()
    nextMinute()
    expect(await sources.goPlus.tokenSecurity(NOBODY)).toBeUndefined()
  })
})
