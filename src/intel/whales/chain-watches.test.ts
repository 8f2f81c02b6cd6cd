import type { Address } from 'viem'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { ChainTransfer } from '../../upstreams/base-chain/base-chain.ts'
import type { Transaction } from '../../upstreams/mempool/wire.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'
import { createBaseWatch, type TransferSource } from './base-watch.ts'
import { type BitcoinSource, createBitcoinWatch, TRANSACTIONS_PER_BLOCK } from './bitcoin-watch.ts'
import { createFindExchange, findPublicExchange } from './labels.ts'

const NOW_MS = Date.UTC(2026, 0, 5, 12)
const findExchange = createFindExchange({
  bitcoin: { Binance: ['hotWallet'] },
  base: { Kraken: [`0x${'aA'.repeat(20)}`] },
})
const NONE = { count: 0, reasons: [] }

const sent = (txid: string, from: string, to: string, bitcoins: number): Transaction => ({
  txid,
  inputs: [{ address: from, sats: bitcoins * 1e8 + 50e8 }],
  outputs: [
    { address: to, sats: bitcoins * 1e8 },
    { address: from, sats: 50e8 },
    { address: undefined, sats: 0 },
  ],
  isMined: false,
  blockAtMs: undefined,
})

function bitcoin(
  perBlock: Readonly<Record<number, readonly Transaction[]>>,
  waiting: readonly Transaction[] = [],
) {
  const clock = createManualClock(NOW_MS)
  const all = [...Object.values(perBlock).flat(), ...waiting]
  const asked: string[] = []
  const sized = (list: readonly Transaction[]) => ({
    transactions: list.map(({ txid, outputs }) => ({
      txid,
      sats: outputs.reduce((sum, { sats }) => sum + sats, 0),
      feeSats: undefined,
      vsize: undefined,
    })),
    skipped: NONE,
  })
  let isDown = false
  const source: BitcoinSource = {
    blocks: async () =>
      Object.keys(perBlock).map((height) => ({
        hash: `h${height}`,
        height: Number(height),
        // Block 11 is dated ahead.
        atMs: NOW_MS - (10 - Number(height)) * 10 * MINUTE_MS,
        transactions: undefined,
      })),
    blockSummary: async (hash) => sized(perBlock[Number(hash.slice(1))] ?? []),
    recent: async () => sized(waiting),
    async transaction(txid) {
      asked.push(txid)
      if (isDown) throw new UpstreamError('down', 'gone')
      const found = all.find((each) => each.txid === txid)
      if (!found) throw new UpstreamError('not_found', txid)
      return found
    },
    price: async () => ({ atMs: NOW_MS, usd: 100_000 }),
  }
  const watch = createBitcoinWatch({ clock, source, findExchange, priceUsd: () => undefined })
  return {
    watch,
    asked,
    fail(is: boolean) {
      isDown = is
    },
  }
}

describe('the chain of Bitcoin', () => {
  it('is read block by block, the newest first, and change does not count', async () => {
    const { watch } = bitcoin({ 10: [sent('a', 'x', 'y', 12)], 9: [sent('b', 'x', 'hotWallet', 20)] })
    await watch.read()
    expect(watch.sinceMs()).toBe(NOW_MS)
    await watch.read()
    expect(watch.sinceMs()).toBe(NOW_MS - 10 * MINUTE_MS)
    expect(watch.transfers(NOW_MS)).toMatchObject([
      { hash: 'a', amount: 12, usd: 1_200_000, from: 'x', to: 'y', kind: 'unlabelled', isConfirmed: true },
      { hash: 'b', amount: 20, toExchange: 'Binance', kind: 'to_exchange', atMs: NOW_MS - 10 * MINUTE_MS },
    ])
    expect(watch.flow('BTC', '1h', NOW_MS)).toEqual({ inUsd: 2_000_000, outUsd: 0, transfers: 1 })
    expect(watch.flow('USDC', '1h', NOW_MS)).toBeUndefined()
  })

  it('looks at the largest of a block only, and not at those that are small with their change', async () => {
    const many = Array.from({ length: 30 }, (_, i) => sent(`t${i}`, `from${i}`, 'y', 11 + i))
    const small = { ...sent('small', 'x', 'y', 1), outputs: [{ address: 'y', sats: 9.99e8 }] }
    const { watch, asked } = bitcoin({ 10: [...many, small] })
    await watch.read()
    expect(asked).toEqual(Array.from({ length: TRANSACTIONS_PER_BLOCK }, (_, i) => `t${29 - i}`))
  })

  it('counts a block once, also where its reading failed halfway', async () => {
    const { watch, fail } = bitcoin({ 10: [sent('a', 'hotWallet', 'y', 12)] })
    fail(true)
    await expect(watch.read()).rejects.toThrow('gone')
    fail(false)
    await watch.read()
    await watch.read()
    expect(watch.flow('BTC', '24h', NOW_MS)).toEqual({ inUsd: 0, outUsd: 1_200_000, transfers: 1 })
  })

  it('counts a transaction once where another block replaces its own, and dates none ahead', async () => {
    const same = sent('a', 'x', 'hotWallet', 12)
    const { watch } = bitcoin({ 11: [same], 10: [same] })
    await watch.read()
    await watch.read()
    expect(watch.transfers(NOW_MS)).toMatchObject([{ hash: 'a', atMs: NOW_MS }])
    expect(watch.flow('BTC', '1h', NOW_MS)).toEqual({ inUsd: 1_200_000, outUsd: 0, transfers: 1 })
  })

  it('tells of transfers that wait, but does not count them; after an hour they are forgotten', async () => {
    const { watch, asked } = bitcoin({}, [sent('w', 'x', 'hotWallet', 15), sent('tiny', 'x', 'y', 0.1)])
    await watch.read()
    await watch.read()
    expect(watch.transfers(NOW_MS)).toMatchObject([{ hash: 'w', isConfirmed: false }])
    expect(asked).toEqual(['w', 'tiny'].slice(0, asked.length))
    expect(watch.flow('BTC', '1h', NOW_MS)?.transfers).toBe(0)
    expect(watch.transfers(NOW_MS + HOUR_MS + 1)).toEqual([])
  })

  it('keeps no transfer for longer than a day', async () => {
    const { watch } = bitcoin({ 10: [sent('a', 'x', 'y', 12)] })
    await watch.read()
    expect(watch.transfers(NOW_MS + DAY_MS)).toHaveLength(1)
    expect(watch.transfers(NOW_MS + DAY_MS + 1)).toHaveLength(0)
  })
})

const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const [ALICE, BOB, POOL, KRAKEN] = ['11', '22', '33', 'aa'].map((byte) => `0x${byte.repeat(20)}`) as [
  Address,
  Address,
  Address,
  Address,
]

function base(
  transfers: readonly ChainTransfer[],
  prices: { WETH?: number } = { WETH: 4_000 },
  timeOf = (block: number) => NOW_MS - (1_000 - block) * 2_000,
) {
  let head = 1_002
  const ranges: [number, number][] = []
  const source: TransferSource = {
    blockNumber: async () => head,
    block: async (number) => ({ number, atMs: timeOf(number) }),
    async transfers(token, from, to) {
      if (token !== USDC) return { rows: [], fromBlock: from }
      ranges.push([from, to])
      const rows = transfers.filter(({ blockNumber }) => blockNumber >= from && blockNumber <= to)
      return { rows, fromBlock: from }
    },
  }
  const priceUsd = (token: 'USDC' | 'WETH' | 'cbBTC') =>
    token === 'WETH' ? prices.WETH : token === 'USDC' ? 1 : 100_000
  const watch = createBaseWatch({ source, findExchange, priceUsd })
  return {
    watch,
    ranges,
    grow(blocks: number) {
      head += blocks
    },
  }
}
const dollars = (name: string, from: Address, to: Address, amount: number): ChainTransfer => ({
  transactionHash: `0x${name}`,
  token: USDC,
  logIndex: 0,
  from,
  to,
  amount: BigInt(amount * 1e6),
  blockNumber: 990,
})

describe('the chain of Base', () => {
  it('is read from ten minutes back on, each block once and not all at once', async () => {
    const { watch, ranges, grow } = base([])
    await watch.read()
    expect(ranges).toHaveLength(5)
    expect([ranges[0], ranges[4]]).toEqual([
      [701, 730],
      [821, 850],
    ])
    await watch.read()
    await watch.read()
    grow(45)
    await watch.read()
    expect(ranges.slice(9)).toEqual([
      [971, 1_000],
      [1_001, 1_030],
      [1_031, 1_045],
    ])
    expect(watch.sinceMs()).toBe(NOW_MS - 10 * MINUTE_MS + 2_000)
  })

  it('goes on from the present after a long outage, and says since when it is whole', async () => {
    const { watch, ranges, grow } = base([])
    await watch.read()
    await watch.read()
    grow(301)
    await watch.read()
    expect(ranges[10]).toEqual([1_002, 1_031])
    expect(watch.sinceMs()).toBe(NOW_MS + 4_000)
  })

  it('takes what is left at the end of a transaction: loans for a moment and hops are nothing', async () => {
    const { watch } = base([
      dollars('loan', POOL, ALICE, 9e6),
      dollars('loan', ALICE, POOL, 9e6),
      dollars('hops', ALICE, POOL, 7e5),
      dollars('hops', POOL, BOB, 7e5),
    ])
    await watch.read()
    await watch.read()
    expect(watch.transfers(NOW_MS)).toMatchObject([
      { hash: '0xhops', usd: 700_000, from: ALICE, to: BOB, token: 'USDC', atMs: NOW_MS - 20_000 },
    ])
    expect(watch.transfers(NOW_MS)).toHaveLength(1)
  })

  it('counts small transfers of exchanges for their flows, too', async () => {
    const { watch } = base([dollars('a', ALICE, KRAKEN, 900), dollars('b', KRAKEN, BOB, 250)])
    await watch.read()
    await watch.read()
    expect(watch.transfers(NOW_MS)).toEqual([])
    expect(watch.flow('USDC', '1h', NOW_MS)).toEqual({ inUsd: 900, outUsd: 250, transfers: 2 })
  })

  it('asks for the time of each block where they do not come evenly', async () => {
    const { watch } = base([dollars('a', ALICE, BOB, 9e5)], { WETH: 4_000 }, (block) =>
      block < 995 ? NOW_MS - 7 * MINUTE_MS : NOW_MS,
    )
    await watch.read()
    await watch.read()
    expect(watch.transfers(NOW_MS)).toMatchObject([{ atMs: NOW_MS - 7 * MINUTE_MS }])
  })

  it('waits for prices, and reads the same blocks then', async () => {
    const prices: { WETH?: number } = {}
    const { watch } = base([dollars('a', ALICE, KRAKEN, 900)], prices)
    await expect(watch.read()).rejects.toThrow('no price of WETH')
    prices.WETH = 4_000
    await watch.read()
    await watch.read()
    expect(watch.flow('USDC', '1h', NOW_MS)?.inUsd).toBe(900)
  })
})

it('knows the public wallets of exchanges, in any case on Base and in their own on Bitcoin', () => {
  expect(findPublicExchange('base', '0x3304E22DDaa22bCdC5fCa2269b418046aE7b566A')).toBe('Binance')
  expect(findPublicExchange('bitcoin', '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo')).toBe('Binance')
  expect(findPublicExchange('bitcoin', '34XP4vRoCGJym3xR7yCVPFHoCNxv4Twseo')).toBeUndefined()
  expect(findPublicExchange('base', ALICE)).toBeUndefined()
})
