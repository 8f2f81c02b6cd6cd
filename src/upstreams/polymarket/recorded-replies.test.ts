import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PARSERS } from '../../testing/upstreams/polymarket-parsers.ts'
import { areRecordedMissing, FIXTURES, recordedText as textOf } from '../../testing/upstreams/recorded.ts'
import { UpstreamError } from '../upstream.ts'
import { parseFiveMinuteMarket } from './gamma/five-minute-wire.ts'

const areMissing = areRecordedMissing()

const read = (file: string) => PARSERS[file]?.(JSON.parse(textOf(file)), textOf(file))
const gamma = (name: string) => read(`recorded/polymarket-gamma/${name}.json`)
const clob = (name: string) => read(`recorded/polymarket-clob/${name}.json`)
const data = (name: string) => read(`recorded/polymarket-data/${name}.json`)
const ws = (name: string) => read(`recorded/polymarket-ws/${name}.json`)
const docs = (name: string) => read(`from-docs/${name}.json`)

function refusalOf(parse: () => unknown): string | undefined {
  try {
    parse()
  } catch (cause) {
    if (cause instanceof UpstreamError && cause.fault === 'malformed') return cause.message
    throw cause
  }
  return undefined
}

describe.skipIf(areMissing)('recorded replies of Polymarket', () => {
  it('has a parser for every one of them', () => {
    const recorded = ['gamma', 'clob', 'data', 'web', 'ws'].flatMap((host) =>
      readdirSync(new URL(`recorded/polymarket-${host}`, FIXTURES)).map(
        (file) => `recorded/polymarket-${host}/${file}`,
      ),
    )
    const documented = readdirSync(new URL('from-docs', FIXTURES))
      .filter((file) => /^(polymarket_|nautilus_polymarket)/.test(file))
      .map((file) => `from-docs/${file}`)
    expect(Object.keys(PARSERS).sort()).toEqual([...recorded, ...documented].sort())
  })

  // Version 1 of the account data has been shut down, and its rows have other names: nothing is read from them.
  it.each([
    ['recorded/polymarket-data/v1_activity.json', 'expected object, received array'],
    ['recorded/polymarket-data/v1_positions.json', 'expected object, received array'],
    ['recorded/polymarket-clob/py_http_trades.json', 'expected object, received array'],
    // Cut short by those who recorded them.
    ['recorded/polymarket-gamma/py_http_event.json', '3 rows break the format'],
    ['recorded/polymarket-gamma/py_http_market_slug.json', '1 rows break the format: [0] events'],
    // Made up for the tests of another client.
    ['from-docs/polymarket_rs_post_order.json', '[1].success'],
    ['from-docs/polymarket_rs_post_orders.json', '[0]: Invalid input: expected object'],
    ['from-docs/polymarket_rs_user_trades.json', 'data[0].market: expected a condition id'],
  ])('refuses %s', (file, reason) => {
    expect(refusalOf(() => read(file))).toContain(reason)
  })

  it('reads the event of a resolved window', () => {
    expect(gamma('event_by_slug_btc_updown_5m_resolved')).toMatchObject({
      coin: 'BTC',
      window: { startS: 1_790_617_500, endS: 1_790_617_800 },
      tokens: {
        up: '37186519804317663355663288557174989893005010125293914481323465828518173840820',
        down: '14060191989034749625201754002398367750445375611294888902322592325108990459266',
      },
      acceptingOrders: false,
      closed: true,
      tickSize: 0.001,
      minOrderSize: 5,
      fee: { rate: 0.07, exponent: 1 },
      resolution: { kind: 'twap_60s' },
      outcome: 'DOWN',
      priceToBeat: 83_972.53784826923,
      finalPrice: 83_901.4134409019,
      volumeUsd: 49_864.65123000001,
      liquidityUsd: undefined,
      version: 'v1',
    })
  })

  it('takes a window from before the averages as a market, not as one of today', () => {
    const market = JSON.parse(textOf('recorded/polymarket-gamma/market_btc_updown_5m_2026-03_full.json'))
    expect(gamma('market_btc_updown_5m_2026-03_full')).toMatchObject({
      markets: [
        { slug: 'btc-updown-5m-1773307200', startsAtMs: 1_773_307_200_000, bestBid: 0.5, bestAsk: 0.51 },
      ],
      skipped: { count: 0 },
    })
    const event = { ...market.events[0], markets: [market] }
    expect(refusalOf(() => parseFiveMinuteMarket(event, 'BTC', 1_773_307_200))).toContain('feeSchedule')
  })

  it('reads events, a search and tags', () => {
    expect(gamma('gamma_event')).toMatchObject({
      markets: [
        {
          id: '559657',
          category: 'politics',
          outcomes: [
            { label: 'Yes', price: 0.0105 },
            { label: 'No', price: 0.9895 },
          ],
          volume24hUsd: 129_642.785175,
          priceChange1h: undefined,
          priceChange24h: 0.002,
          endsAtMs: Date.UTC(2028, 10, 7),
          startsAtMs: undefined,
        },
        { id: '559659', priceChange24h: undefined, priceChange1wk: -0.0025 },
      ],
      skipped: { count: 0 },
    })
    expect(gamma('search_response')).toMatchObject({
      markets: [{ slug: 'bitcoin-above-64k-on-march-11', category: 'crypto', bestAsk: 1 }],
      hasMore: true,
      totalResults: 46_940,
    })
    expect(gamma('gamma_tags')).toContainEqual({ id: '101842', slug: 'sweeden', label: 'Sweeden' })
  })

  it('reads books best first', () => {
    expect(clob('book_btc_updown_5m')).toMatchObject({
      bids: [
        [0.5, 88.18],
        [0.49, 357.8],
        [0.48, 123.41],
        [0.47, 514.96],
        [0.46, 171],
      ],
      asks: [
        [0.51, 251.52],
        [0.52, 123.41],
        [0.53, 374.96],
        [0.54, 271],
        [0.55, 205.1],
      ],
      tickSize: 0.01,
      minOrderSize: 5,
      lastTradePrice: 0.49,
      atMs: 1_790_619_014_171,
    })
    const [event] = ws('py_book') as [{ book: { bids: number[][]; asks: number[][] } }]
    expect([event.book.bids[0], event.book.asks[0]]).toEqual([
      [0.511, 1304.72],
      [0.514, 20230.87],
    ])
    expect([event.book.bids.length, event.book.asks.length]).toEqual([76, 86])
  })

  it('reads what the exchange says about markets', () => {
    expect(clob('clob_market_closed_binary_accepting_true')).toMatchObject({
      closed: true,
      acceptingOrders: true,
      tokens: [{ label: 'Yes', price: 1, isWinner: true }, { isWinner: false }],
    })
    expect(clob('clob_market_closed_binary_accepting_false')).toMatchObject({ acceptingOrders: false })
    expect(clob('market_by_condition_resolved')).toMatchObject({ tokens: [{ isWinner: true }, {}] })
    expect(clob('market_by_condition_live_excerpt')).toMatchObject({ negRisk: undefined, tickSize: 0.01 })
    expect(clob('py_http_market')).toMatchObject({ negRisk: true, minOrderSize: 5 })
    expect(clob('prices_history')).toHaveLength(15)
    expect(clob('misc_btc_updown_5m')).toEqual({
      'GET /price?side=BUY': 0.5,
      'GET /price?side=SELL': 0.51,
      'GET /midpoint': 0.505,
      'GET /spread': 0.01,
      'GET /last-trade-price': { price: 0.51, side: 'BUY' },
      'GET /tick-size': 0.01,
      'GET /neg-risk': false,
      'GET /fee-rate': { legacyBaseFeeBps: 1000 },
    })
    expect(docs('polymarket_clob_market_info')).toMatchObject({
      fee: { rate: 0.07, exponent: 1 },
      hasTakerDelay: true,
      tokens: [{ label: 'Up' }, { label: 'Down', tokenId: '2' }],
    })
    expect(docs('polymarket_rs_tick_size')).toBe(0.1)
  })

  it('reads accounts', () => {
    const activity = { kind: 'TRADE', side: 'BUY', shares: 5, usd: 1.67616, price: 0.32, outcome: 'Up' }
    expect(data('v2_activity')).toMatchObject({
      rows: [{ atMs: 1_790_620_238_000 }, { price: 0.7400000004 }, activity],
      nextCursor: expect.stringMatching(/^eyJ/),
    })
    expect(data('v2_activity_pysdk_rows')).toMatchObject([{ shares: 14.285715, usd: 13.285715 }])
    expect(docs('polymarket_v2_activity_redeem')).toMatchObject({
      rows: [
        { kind: 'REDEEM', shares: 150, usd: 150, side: undefined, price: undefined },
        { kind: 'REDEEM', shares: 50, usd: 0 },
      ],
      nextCursor: undefined,
    })
    expect(data('v2_trades_taker_only')).toMatchObject({
      rows: [{ shares: 5, price: 0.32 }, { shares: 15.55 }],
    })
    expect(data('v2_trades_feed_first_row')).toMatchObject({
      rows: [{ eventSlug: '', outcome: 'Up' }],
      nextCursor: undefined,
    })
    expect(data('v2_positions_open')).toMatchObject({
      rows: [
        { shares: 566.6732, costUsd: 263.4816, feesUsd: 3.99268, redeemable: false, mergeable: true },
        { averagePrice: 0.2833, unrealizedPnlUsd: 13.0002, realizedPnlUsd: 0 },
      ],
    })
    expect(data('v2_value')).toMatchObject({ valueUsd: 844.4295 })
    expect(data('v2_status')).toEqual({ computedAtMs: Date.UTC(2026, 8, 28, 18, 30, 19), ageS: 24, lagS: 4 })
    expect(data('v2_resolutions')).toMatchObject([{ status: 'resolved', payoutsE6: [1_000_000, 0] }])
    expect(data('errors')).toEqual([
      { message: 'max historical activity offset of 5000 exceeded' },
      { message: 'max historical trades offset of 10000 exceeded' },
      {
        message: 'Failed to deserialize query string: limit: limit must be between 0 and 1000',
        code: 'invalid_request',
        isRetryable: false,
        traceId: '72fce274be1542c181c7df5df4d881e4',
      },
    ])
  })

  it('reads the web site', () => {
    expect(read('recorded/polymarket-web/crypto_price.json')).toMatchObject({
      openPrice: 89_299.0560483538,
      closePrice: 89_530.1902704494,
      isCompleted: true,
    })
    expect(docs('polymarket_crypto_price_twap')).toMatchObject({ closePrice: undefined, isCompleted: false })
    expect(docs('polymarket_geoblock')).toEqual({ isBlocked: false, country: 'XX', region: undefined })
  })

  it('reads every frame of the market channel', () => {
    const frames = ws('market_channel_messages_tardis') as { type: string; name?: string }[][]
    expect(frames.map((events) => events.map(({ type }) => type).join())).toEqual([
      'book',
      'book,book',
      'price_change',
      'price_change',
      'price_change',
      'best_bid_ask',
      'best_bid_ask',
      'last_trade_price',
      'last_trade_price',
      // Scores of games.
      'unknown',
      'unknown',
      'tick_size_change',
      'new_market',
      'market_resolved',
    ])
    expect(frames[6]).toMatchObject([{ bestBid: 0, bestAsk: 1 }])
    expect(ws('py_last_trade_price')).toMatchObject([{ price: 0.491, size: 85.36, side: 'SELL' }])
    expect(ws('py_tick_size_change')).toMatchObject([{ oldTickSize: 0.01, newTickSize: 0.001 }])
    expect(docs('nautilus_polymarket-ws_py_price_change_v2')).toMatchObject([
      { changes: [{ price: 0.6, size: 3300, bestBid: 0.6, bestAsk: 0.7 }, { price: 0.5 }, { price: 0.7 }] },
    ])
    expect(docs('nautilus_polymarket-ws_ws_market_best_bid_ask_msg')).toMatchObject([{ bestBid: 0.73 }])
    expect(docs('nautilus_polymarket-ws_ws_market_new_market_msg')).toMatchObject([
      { type: 'new_market', tickSize: 0.01, outcomes: [{ label: 'Yes' }, { label: 'No' }] },
    ])
    expect(docs('nautilus_polymarket-ws_ws_market_resolved_msg')).toMatchObject([
      { winner: { label: 'Yes' } },
    ])
  })

  it('reads orders and trades of an account', () => {
    expect(ws('py_order_placement')).toMatchObject([
      { change: 'PLACEMENT', sharesE6: 5_000_000n, matchedE6: 0n, expiresAtMs: undefined },
    ])
    expect(ws('py_order_cancel')).toMatchObject([{ change: 'CANCELLATION', matchedE6: 5_000_000n }])
    expect(ws('py_trades')).toMatchObject({ role: 'TAKER', status: 'CONFIRMED', sharesE6: 5_000_000n })
    expect(ws('py_user_trade1')).toMatchObject([{ trade: { sharesE6: 1_096_870_000n, status: 'MINED' } }])
    expect(ws('py_user_trade2')).toMatchObject([{ trade: { role: 'TAKER' }, atMs: 1_725_958_682_125 }])
    // Here the same field is in seconds.
    expect(ws('py_user_trade3')).toMatchObject([{ trade: { role: 'MAKER' }, atMs: 1_762_776_436_000 }])
    expect(ws('py_user_trade4')).toMatchObject([
      { trade: { makerOrders: [{ price: 0.4 }, { price: 0.35 }, { price: 0.3, sharesE6: 5_000_000n }] } },
    ])
    expect(docs('polymarket_order_response_v2')).toMatchObject({
      isAccepted: true,
      status: 'matched',
      makingE6: 5_100_000n,
      takingE6: 10_000_000n,
    })
    expect(docs('polymarket_balance_allowance')).toEqual({
      balance: 25_000_000n,
      allowances: new Map([['0xe111180000d2663c0091e4f400237545b87b996b', 2n ** 256n - 1n]]),
    })
    expect(docs('polymarket_order_errors')).toMatchObject([
      { message: 'maker address not allowed, please use the deposit wallet flow' },
      { message: 'the order signer address has to be the address of the API KEY' },
      { message: 'order_version_mismatch' },
      { message: 'trading is disabled' },
      { message: undefined },
    ])
  })
})
