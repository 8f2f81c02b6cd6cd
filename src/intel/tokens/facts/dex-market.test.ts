import { describe, expect, test } from 'vitest'
import { dexPair, TOKEN, TOKENS_NOON_MS, WETH } from '../../../testing/tokens/hand-made-tokens.ts'
import { toDexMarket } from './dex-market.ts'

const pool = (id: string, over: Record<string, unknown>) =>
  dexPair({ pairAddress: `0x${id.repeat(20)}`, ...over })

test('the most liquid pool tells the price, all pools together the liquidity, those with money in them the trades', () => {
  const pairs = [
    pool('01', { priceUsd: '9', liquidity: { usd: 10 }, pairCreatedAt: TOKENS_NOON_MS - 5_000 }),
    pool('02', { priceUsd: '1.5', liquidity: { usd: 2_000 }, fdv: 77, priceChange: { h24: -4 } }),
    pool('03', { priceUsd: '3', liquidity: null, volume: null, txns: null, pairCreatedAt: null }),
  ]
  expect(toDexMarket(TOKEN, pairs)).toMatchObject({
    name: 'Coffee',
    priceUsd: 1.5,
    change: { h24: -4 },
    liquidityUsd: 2_010,
    volumeUsd24h: 500_000,
    buys24h: 400,
    sells24h: 380,
    pools: 3,
    fdvUsd: 77,
    createdMs: TOKENS_NOON_MS - 400 * 86_400_000,
  })
})

test('money is the quote token: who buys the other one sells it', () => {
  const pairs = [pool('01', { priceUsd: '1.5', priceNative: '0.0005', txns: { h24: { buys: 7, sells: 2 } } })]
  expect(toDexMarket(WETH, pairs)).toMatchObject({
    symbol: 'WETH',
    priceUsd: 3_000,
    change: { h24: undefined },
    fdvUsd: undefined,
    buys24h: 2,
    sells24h: 7,
    liquidityUsd: 2_000_000,
  })
})

describe('the price of money', () => {
  const USDC = { address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', name: 'USD Coin', symbol: 'USDC' }
  const ETHER = { address: WETH, name: 'Wrapped Ether', symbol: 'WETH' }
  const JUNK = { address: `0x${'77'.repeat(20)}`, name: 'Junk', symbol: 'JUNK' }
  const made = pool('06', { baseToken: JUNK, priceUsd: '9.01', priceNative: '1', liquidity: { usd: 9e14 } })
  const madeAsBase = pool('07', { baseToken: ETHER, quoteToken: JUNK, priceUsd: '9', fdv: 5 })
  test('comes from a pool against other money, on whichever side it stands', () => {
    const asBase = pool('08', { baseToken: ETHER, quoteToken: USDC, priceUsd: '3001.5' })
    expect(toDexMarket(WETH, [made, madeAsBase, asBase]).priceUsd).toBe(3_001.5)
    const asQuote = pool('09', { baseToken: USDC, priceUsd: '1', priceNative: '0.0004' })
    expect(toDexMarket(WETH, [made, madeAsBase, asQuote])).toMatchObject({
      priceUsd: 2_500,
      fdvUsd: undefined,
      change: { h24: undefined },
    })
  })
  test('does not come from prices that were rounded to next to nothing, where there are others', () => {
    const tiny = { priceUsd: '0.00000000001', priceNative: '0.0000000000000047', liquidity: { usd: 9e14 } }
    const other = pool('08', { priceUsd: '1.5', priceNative: '0.0005' })
    expect(toDexMarket(WETH, [pool('06', tiny), other]).priceUsd).toBe(3_000)
    expect(toDexMarket(WETH, [pool('06', tiny)]).priceUsd).toBeCloseTo(2_127.66, 2)
    const sharp = { ...tiny, priceNative: '0.00000000000000471' }
    expect(toDexMarket(WETH, [pool('06', sharp), other]).priceUsd).toBeCloseTo(2_123.14, 2)
  })
})

test('no pools is known: nothing can be sold', () => {
  expect(toDexMarket(TOKEN, [])).toMatchObject({
    priceUsd: undefined,
    liquidityUsd: 0,
    pools: 0,
    volumeUsd24h: undefined,
  })
})

test('liquidity that DexScreener cannot see is unknown, not zero', () => {
  expect(toDexMarket(TOKEN, [pool('01', { liquidity: undefined })])).toMatchObject({
    liquidityUsd: undefined,
    pools: 1,
  })
})

test('pairs of other tokens are left out', () => {
  expect(toDexMarket(`0x${'12'.repeat(20)}`, [dexPair()])).toMatchObject({ pools: 0 })
})

describe('a pool against a token whose worth somebody made up', () => {
  const JUNK = { address: `0x${'77'.repeat(20)}`, name: 'Junk', symbol: 'JUNK' }
  const made = pool('04', { priceUsd: '900', quoteToken: JUNK, liquidity: { usd: 1e12 } })
  test('does not tell the price while there is one against money', () => {
    expect(toDexMarket(TOKEN, [made, pool('05', { liquidity: { usd: 1_000 } })]).priceUsd).toBe(1.5)
  })
  test('tells it where the one against money is too small, or there is none', () => {
    expect(toDexMarket(TOKEN, [made, pool('05', { liquidity: { usd: 999 } })]).priceUsd).toBe(900)
    expect(toDexMarket(TOKEN, [made]).priceUsd).toBe(900)
  })
})

const JUNK = { address: `0x${'ee'.repeat(20)}`, name: 'J', symbol: 'J' }
const OWN_POOL = `0x${'bc'.repeat(20)}`

test('sales in a pool against nothing do not hide that hardly anybody sells', () => {
  const real = dexPair({ txns: { h24: { buys: 900, sells: 3 } } })
  const wash = dexPair({ pairAddress: OWN_POOL, quoteToken: JUNK, txns: { h24: { buys: 0, sells: 600 } } })
  const small = dexPair({
    pairAddress: OWN_POOL,
    liquidity: { usd: 900 },
    txns: { h24: { buys: 0, sells: 600 } },
  })
  expect(toDexMarket(TOKEN, [real, wash, small])).toMatchObject({ buys24h: 900, sells24h: 3 })
  expect(toDexMarket(TOKEN, [wash])).toMatchObject({ buys24h: 0, sells24h: 600 })
})

test('a new main pool does not hide how the price fell in the drained one', () => {
  const drained = dexPair({ liquidity: { usd: 50 }, priceChange: { h24: -99 } })
  const fresh = dexPair({ pairAddress: OWN_POOL, priceChange: { m5: 1 } })
  expect(toDexMarket(TOKEN, [drained, fresh]).change).toMatchObject({ m5: 1, h24: -99 })
  const elsewhere = dexPair({ quoteToken: JUNK, priceChange: { h24: -99 } })
  expect(toDexMarket(TOKEN, [elsewhere, fresh]).change.h24).toBeUndefined()
})
