import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../catalog/catalog.ts'
import type { ServiceError } from '../../core/service-error.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { HOUR_MS } from '../../core/time/time.ts'
import type { Part } from '../../intel/part.ts'
import type { WatchedTrade } from '../../intel/whales/large-trades.ts'
import type { LargeTransfer } from '../../intel/whales/transfer.ts'
import type { WhaleWatch } from '../../intel/whales/whale-watch.ts'
import { whaleGroup } from './group.ts'
import type { WhaleServices } from './services.ts'
import { whaleMoves } from './whales.ts'

const NOW_MS = Date.UTC(2026, 0, 5, 12)
const there = <T>(value: T, ageMs = 0, source = 'somebody'): Part<T> => ({
  source,
  status: 'fresh',
  value,
  asOfMs: NOW_MS - ageMs,
})
const MISSING: Part<never> = { source: 'somebody', status: 'missing', reason: 'the source does not answer' }

const trade = (change: Partial<WatchedTrade> = {}): WatchedTrade => ({
  id: 't',
  coin: 'BTC',
  exchange: 'OKX',
  side: 'buy',
  price: 100_000,
  usd: 300_000.004,
  atMs: NOW_MS - 1_000,
  market: 'spot',
  reportedBy: 'coinlobster',
  isDelayed: false,
  ...change,
})
const transfer = (change: Partial<LargeTransfer> = {}): LargeTransfer => ({
  hash: 'h',
  chain: 'base',
  token: 'USDC',
  amount: 600_000,
  usd: 600_000,
  from: 'a',
  to: undefined,
  fromExchange: undefined,
  toExchange: 'Kraken',
  kind: 'to_exchange',
  isConfirmed: true,
  atMs: NOW_MS - 2_000,
  ...change,
})
const OWN = { ownMs: { binance: 8_000, coinbase: 125_000 } }
const FLOW = { spanMs: HOUR_MS, buyUsd: 4e6, sellUsd: 0, trades: 4, squares: 4e12, ...OWN }
const NO_FLOW = { ...FLOW, buyUsd: 0, trades: 0, squares: 0 }
const LIQUIDATED = { longUsd: 1, shortUsd: 1, count: 1 }
const ETF_DAY = {
  dayMs: NOW_MS - 60 * HOUR_MS,
  netInflowUsd: 5,
  tradedUsd: undefined,
  assetsUsd: 7,
  sinceStartUsd: undefined,
}

function ask(change: Partial<WhaleWatch> = {}, params: object = {}) {
  const whales: WhaleWatch = {
    trades: () => there([trade(), trade({ coin: 'ETH', usd: 900_000 })], 1_000, 'binance'),
    flow: (_, minUsd = 0) => there(minUsd > 1e6 ? NO_FLOW : FLOW),
    transfers: (chain) => there(chain === 'base' ? [transfer()] : [], 40_000, chain),
    exchangeFlows: () =>
      there([{ token: 'USDC', span: '1h', inUsd: 5, outUsd: 8, transfers: 2, coveredMs: 90_500 }]),
    etf: () =>
      there(
        { days: [ETF_DAY], lastDayMs: ETF_DAY.dayMs, net5dUsd: undefined, streak: 1, weekdaysMissing: 1 },
        60 * HOUR_MS,
        'sosovalue',
      ),
    liquidations: () =>
      there({
        asOfMs: NOW_MS,
        longUsd: 3,
        shortUsd: 2,
        count: 5,
        coins: [
          { coin: 'BTC', ...LIQUIDATED },
          { coin: 'ETH', ...LIQUIDATED },
        ],
      }),
    bitcoinFees: () => there({ nextBlock: 3, halfHour: 2, hour: 1, minimum: undefined }),
    version: () => 'v',
    ...change,
  }
  const services: WhaleServices = {
    clock: createManualClock(NOW_MS),
    whales,
    sourceOf: (name) => `sandbox:${name}`,
  }
  const parsed = whaleMoves.params.parse(params)
  return {
    changes: () => whaleMoves.changes?.(services, parsed),
    reply: () => whaleMoves.response.parse(whaleMoves.handle(services, parsed)),
  }
}

describe('/whales', () => {
  it('is sold as the list of products says', () => {
    expect(createCatalog([whaleGroup]).routes.map(({ path }) => path)).toEqual([
      '/whales',
      '/whale-moves',
      '/whale/moves',
    ])
    expect(whaleMoves.tool).toBe('get_whale_moves')
    expect(whaleMoves.description.length).toBeLessThanOrEqual(500)
    expect(whaleMoves.response.parse(whaleMoves.example)).toBeDefined()
  })

  it('tells every part with its source, time and status', () => {
    expect(ask().reply()).toMatchObject({
      timestamp: '2026-01-05T11:59:20.000Z',
      source: 'sandbox:binance_and_bitcoin_and_base',
      net_flow: [
        {
          ...{ coin: 'BTC', net_usd: 4e6, z_score: 2, lean: 'buying', imbalance: 1 },
          ...{ span_minutes: 60, own_minutes: { binance: 0, coinbase: 2 } },
        },
        {},
        {},
        {},
      ],
      large_trades: [{ coin: 'BTC', value_usd: 300_000, at: '2026-01-05T11:59:59.000Z' }, { coin: 'ETH' }],
      transfers: [{ to: null, to_exchange: 'Kraken', kind: 'to_exchange' }],
      exchange_flows: [
        { chain: 'bitcoin', counted: 'large' },
        { net_usd: -3, covered_minutes: 1, counted: 'all' },
      ],
      etf_flows: [
        { coin: 'BTC', age_hours: 60, net_5d_usd: null, days: [{ traded_usd: null, assets_usd: 7 }] },
        {},
        {},
      ],
      bitcoin_fees: { minimum: null },
      parts: {
        large_trades: { source: 'sandbox:binance', status: 'fresh' },
        etf_flows: { source: 'sandbox:sosovalue', timestamp: '2026-01-03T00:00:00.000Z' },
      },
      method: '/methodology/whales',
    })
  })

  it.each([
    ['trades', { trades: () => MISSING, flow: () => MISSING }, { large_trades: [], net_flow: [] }],
    [
      'transfers',
      { transfers: () => MISSING, exchangeFlows: () => MISSING },
      { transfers: [], exchange_flows: [] },
    ],
    ['funds', { etf: () => MISSING }, { etf_flows: [] }],
    ['liquidations', { liquidations: () => MISSING }, { all_exchange_liquidations_24h: null }],
    ['fees', { bitcoinFees: () => MISSING }, { bitcoin_fees: null }],
  ])('does without %s, and says so', (_, change, expected) => {
    const reply = ask(change).reply() as { parts: Record<string, { status: string }> }
    expect(reply).toMatchObject(expected)
    expect(Object.values(reply.parts).some(({ status }) => status === 'missing')).toBe(true)
  })

  it('is not sold without trades and transfers', () => {
    const fault = (() => {
      try {
        return ask({ trades: () => MISSING, transfers: () => MISSING }).reply()
      } catch (error) {
        return error as ServiceError
      }
    })() as ServiceError
    expect([fault.code, fault.message]).toEqual([
      'upstream_unavailable',
      'no large trades (the source does not answer) and no transfers',
    ])
  })

  it('is narrowed by coin, amount and number', () => {
    expect(ask({}, { coins: 'eth' }).reply()).toMatchObject({
      large_trades: [{ coin: 'ETH' }],
      transfers: [{ token: 'USDC' }],
      net_flow: [{ coin: 'ETH' }],
      etf_flows: [{ coin: 'ETH' }],
      all_exchange_liquidations_24h: { long_usd: 3, coins: [{ coin: 'ETH' }] },
    })
    expect(ask({}, { coins: 'xrp' }).reply()).toMatchObject({
      etf_flows: [],
      parts: { etf_flows: { status: 'missing', reason: 'no fund of these coins' } },
    })
    expect(ask({}, { min_usd: '700000' }).reply()).toMatchObject({
      large_trades: [{ coin: 'ETH' }],
      transfers: [],
    })
    const large = ask({}, { coins: 'btc', min_usd: 2e6 }).reply()
    expect(large).toMatchObject({ net_flow: [{ trades: 0, buy_usd: 0, lean: null }] })
    expect(ask({}, { limit: '1' }).reply()).toMatchObject({ large_trades: [{ coin: 'BTC' }] })
    for (const wrong of [{ limit: 0 }, { limit: 201 }, { limit: 1.5 }, { min_usd: -1 }, { coins: 'doge' }])
      expect(whaleMoves.params.safeParse(wrong).success).toBe(false)
  })

  it('is the same reply until something changes', () => {
    expect(ask().changes()).toEqual(ask().changes())
    expect(ask({ version: () => 'w' }).changes()).not.toEqual(ask().changes())
  })
})
