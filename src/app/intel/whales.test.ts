import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { Trade } from '../../feeds/events.ts'
import { whaleMoves } from '../../products/whales/whales.ts'
import { type Internet, startInternet } from '../../sandbox/internet.ts'
import { createSimulatedMarket, type SimulatedMarket } from '../../sandbox/market/simulated-market.ts'
import { createTokenWorld } from '../../sandbox/tokens/create-token-world.ts'
import type { TokenWorld } from '../../sandbox/tokens/token-world.ts'
import { findSandboxExchange } from '../../sandbox/tokens/wallets/exchange-wallets.ts'
import { createHosts } from '../upstream-hosts.ts'
import { openWhales } from './whales.ts'

const START_MS = Date.UTC(2026, 4, 6, 12, 3, 30)
const BLOCK_MS = 2_000
let market: SimulatedMarket
let tokens: TokenWorld
let internet: Internet
beforeAll(async () => {
  const cadence = { bookEveryMs: 1000, tradesPerSecond: 0.1 }
  market = createSimulatedMarket({ seed: 'open-whales', startMs: START_MS, cadence })
  tokens = createTokenWorld({ seed: 'open-whales', market })
  internet = await startInternet({ market, tokens, clock: createManualClock(START_MS) })
})
afterAll(() => internet.close())

const block = (ms: number) => Math.floor(ms / BLOCK_MS)

const rowsOf = (token: string, from: number, to: number) =>
  tokens
    .whaleMoves(from * BLOCK_MS, (to + 1) * BLOCK_MS)
    .filter((move) => move.token === token)
    .map(({ id, from, to, amount, atMs, token }) => ({
      ...{ from, to, amount, token, logIndex: 0 },
      transactionHash: `0x${id}` as const,
      blockNumber: block(atMs),
    }))

async function open() {
  const clock = createManualClock(START_MS)
  const hosts = createHosts({ clock, log: silentLog, random: () => 0.5 })
  const listeners: ((trade: Trade) => void)[] = []
  const opened = openWhales({
    hosts,
    clock,
    upstreams: internet.urls,
    market: { price: (coin) => ({ ...PRICE, price: market.perpetual.at(coin, START_MS).indexPrice }) },
    onTrade(listener) {
      listeners.push(listener)
      return () => void listeners.splice(listeners.indexOf(listener), 1)
    },
    base: {
      blockNumber: async () => block(START_MS),
      block: async (number) => ({ number, atMs: number * BLOCK_MS }),
      transfers: async (token, from, to) => ({ rows: rowsOf(token, from, to), fromBlock: from }),
    },
    findExchange: findSandboxExchange(),
    random: () => 0.5,
  })
  let isReady = false
  void opened.start().then(() => {
    isReady = true
  })
  // Requests are paced by the clock.
  for (let seconds = 0; seconds < 90 && !isReady; seconds++) {
    for (let turns = 0; turns < 200; turns++) await nextTurn()
    clock.advance(250)
  }
  const say = (trade: Trade) => {
    for (const listener of listeners) listener(trade)
  }
  return { ...opened, clock, say, listeners, close: () => [opened.stop(), hosts.close()] }
}
const PRICE = { asOfMs: START_MS, source: 'coinbase_mid', venues: ['coinbase'], version: 1 } as const

describe('whales of the sandbox', () => {
  it('every part is there, and tells of the same moves', async () => {
    const { whales, clock, close } = await open()
    expect(whales.trades().status).toBe('fresh')
    const told = whales.trades().value ?? []
    const moves = tokens.whaleMoves(START_MS - 12 * HOUR_MS, START_MS)
    expect(told.length).toBeGreaterThan(5)
    for (const { usd, atMs, coin } of told) {
      const move = moves.find((each) => each.atMs === atMs)
      expect(move?.tape).toMatchObject({ coin })
      expect(usd).toBeCloseTo(move?.tape?.usd ?? 0, 0)
      // Of other coins than bitcoin nothing is told for a quarter of an hour.
      if (coin !== 'BTC') expect(atMs).toBeLessThanOrEqual(START_MS - 15 * MINUTE_MS)
    }
    expect(whales.transfers('bitcoin').status).toBe('fresh')
    expect(whales.transfers('base').status).toBe('fresh')
    expect(whales.exchangeFlows('bitcoin').value).toHaveLength(2)
    expect(whales.exchangeFlows('base').value).toHaveLength(6)
    for (const coin of ['BTC', 'ETH', 'SOL'] as const)
      expect(whales.etf(coin)).toMatchObject({ status: 'fresh', value: { weekdaysMissing: 0 } })
    expect(whales.liquidations()).toMatchObject({ status: 'fresh', value: { coins: { length: 4 } } })
    expect(whales.bitcoinFees()).toMatchObject({ status: 'fresh' })
    const reply = whaleMoves.response.parse(
      whaleMoves.handle(
        { whales, clock, sourceOf: (source) => `sandbox:${source}` },
        whaleMoves.params.parse({}),
      ),
    )
    expect(reply).toMatchObject({ source: 'sandbox:coinlobster_and_mempool_space_and_base_node' })
    close()
  })

  it('bitcoin that goes to an exchange shows on its chain', async () => {
    const { whales, clock, close } = await open()
    // A block each time; an hour of them.
    for (let seconds = 0; seconds < 400; seconds++) {
      clock.advance(1_000)
      for (let turns = 0; turns < 100; turns++) await nextTurn()
    }
    const wrapped = tokens
      .whaleMoves(START_MS - 55 * MINUTE_MS, START_MS - 4 * MINUTE_MS)
      .filter(({ token }) => tokens.token(token)?.symbol === 'cbBTC')
    const large = wrapped.filter(({ usd }) => usd > 1.1e6)
    const transfers = whales.transfers('bitcoin').value ?? []
    expect(large.length).toBeGreaterThan(0)
    for (const { amount, kind } of large) {
      const found = transfers.find((each) => Math.abs(each.amount - Number(amount) / 1e8) < 1e-6)
      expect(found).toMatchObject(kind === 'wallet_to_wallet' ? { kind: 'unlabelled' } : { kind })
    }
    expect(whales.exchangeFlows('bitcoin').value?.[0]?.coveredMs).toBeGreaterThan(40 * MINUTE_MS)
    close()
  })

  it('hears our own venues while it runs, and no longer', async () => {
    const { whales, say, listeners, stop, close } = await open()
    const trade: Trade = {
      ...{ venue: 'binance', coin: 'BTC', id: 7, price: 100_000, size: 5, side: 'buy', fills: 1 },
      atMs: START_MS,
    }
    say(trade)
    expect(whales.trades().value?.[0]).toMatchObject({ id: 'binance:BTC:7', reportedBy: 'own' })
    expect(whales.trades().source).toBe('binance_and_coinlobster')
    stop()
    expect(listeners).toEqual([])
    close()
  })
})
