import { describe, expect, it } from 'vitest'
import { CONDITION_ID, DOWN_TOKEN, UP_TOKEN } from '../../../testing/upstreams/gamma-payloads.ts'
import { changeMarketFrame, readMarketFrame, subscribeMarketFrame } from './wire.ts'

const AT_MS = 1_790_000_101_250
const head = { market: CONDITION_ID, timestamp: String(AT_MS) }
const book = (changed = {}) => ({
  event_type: 'book',
  ...head,
  asset_id: UP_TOKEN,
  hash: 'f00d',
  bids: [
    { price: '.48', size: '30' },
    { price: '0.49', size: '20.5' },
  ],
  asks: [
    { price: '0.55', size: '1' },
    { price: '0.52', size: '25' },
  ],
  tick_size: '0.01',
  last_trade_price: '',
  ...changed,
})
const change = (changed = {}) => ({
  asset_id: UP_TOKEN,
  price: '0.5',
  size: '0',
  side: 'BUY',
  hash: 'beef',
  best_bid: '0.49',
  best_ask: '0.52',
  ...changed,
})
const read = (json: unknown) => readMarketFrame(JSON.stringify(json))

describe('frames of the market channel', () => {
  it('gives a book best first', () => {
    expect(read(book())).toEqual([
      {
        type: 'book',
        book: {
          tokenId: UP_TOKEN,
          conditionId: CONDITION_ID,
          bids: [
            [0.49, 20.5],
            [0.48, 30],
          ],
          asks: [
            [0.52, 25],
            [0.55, 1],
          ],
          tickSize: 0.01,
          minOrderSize: undefined,
          lastTradePrice: undefined,
          hash: 'f00d',
          atMs: AT_MS,
        },
      },
    ])
  })

  it.each([
    [{ bids: [{ price: '0.5', size: '0' }] }],
    [{ bids: [{ price: '0.5', size: '-1' }] }],
    [{ bids: [{ price: '0.5', size: '1e300' }] }],
    [{ bids: [{ price: '0', size: '1' }] }],
    [{ asks: [{ price: '1', size: '1' }] }],
    [{ asks: [{ price: 'NaN', size: '1' }] }],
    [{ asks: [{ price: '0.5' }] }],
    [
      {
        asks: [
          { price: '0.5', size: '1' },
          { price: '0.50', size: '2' },
        ],
      },
    ],
    [{ asks: null }],
    [{ tick_size: '0' }],
    [{ timestamp: 'now' }],
  ])('drops no level of a bad book but refuses it: %j', (changed) => {
    expect(read(book(changed))).toMatchObject([
      { type: 'malformed', name: 'book', conditionId: CONDITION_ID, tokenIds: [UP_TOKEN] },
    ])
  })

  it('reads changes of several tokens', () => {
    const frame = {
      event_type: 'price_change',
      ...head,
      price_changes: [
        change(),
        change({ asset_id: DOWN_TOKEN, side: 'SELL', size: '12', best_bid: '0', best_ask: '0' }),
        change({ best_bid: undefined, best_ask: '' }),
      ],
    }
    expect(read(frame)).toMatchObject([
      {
        type: 'price_change',
        conditionId: CONDITION_ID,
        atMs: AT_MS,
        changes: [
          { tokenId: UP_TOKEN, side: 'BUY', price: 0.5, size: 0, bestBid: 0.49, bestAsk: 0.52, hash: 'beef' },
          // Nobody bids and nobody asks.
          { tokenId: DOWN_TOKEN, side: 'SELL', price: 0.5, size: 12, bestBid: 0, bestAsk: 1 },
          { bestBid: undefined, bestAsk: undefined },
        ],
      },
    ])
    const bad = { ...frame, price_changes: [change(), change({ asset_id: DOWN_TOKEN, size: 'x' })] }
    expect(read(bad)).toMatchObject([
      {
        type: 'malformed',
        tokenIds: [UP_TOKEN, DOWN_TOKEN],
        reason: expect.stringContaining('price_changes[1].size'),
      },
    ])
  })

  it('reads the other events', () => {
    const token = { ...head, asset_id: UP_TOKEN }
    const tokens = { ...head, assets_ids: [UP_TOKEN, DOWN_TOKEN] }
    const events = read([
      { event_type: 'tick_size_change', ...token, old_tick_size: '0.01', new_tick_size: '0.001' },
      {
        event_type: 'last_trade_price',
        ...token,
        price: '0.6',
        size: '7',
        side: 'SELL',
        transaction_hash: '',
      },
      { event_type: 'best_bid_ask', ...token, best_bid: '0.4', best_ask: '0.6', spread: '0.2' },
      { event_type: 'new_market', ...tokens, slug: 'x-y', question: 'X?', outcomes: ['Up', 'Down'] },
      { event_type: 'market_resolved', ...tokens, winning_asset_id: DOWN_TOKEN, winning_outcome: 'Down' },
    ])
    const about = { conditionId: CONDITION_ID, atMs: AT_MS }
    expect(events).toMatchObject([
      { type: 'tick_size_change', ...about, tokenId: UP_TOKEN, oldTickSize: 0.01, newTickSize: 0.001 },
      { type: 'last_trade_price', ...about, price: 0.6, size: 7, side: 'SELL', transactionHash: undefined },
      { type: 'best_bid_ask', ...about, bestBid: 0.4, bestAsk: 0.6 },
      {
        type: 'new_market',
        ...about,
        slug: 'x-y',
        outcomes: [
          { label: 'Up', tokenId: UP_TOKEN },
          { label: 'Down', tokenId: DOWN_TOKEN },
        ],
      },
      { type: 'market_resolved', ...about, winner: { tokenId: DOWN_TOKEN, label: 'Down' } },
    ])
  })

  it('keeps what it does not know apart', () => {
    expect(readMarketFrame('PONG')).toEqual([{ type: 'pong' }])
    expect(read({ gameId: 5, status: 'InProgress' })).toEqual([{ type: 'unknown', name: '' }])
    expect(read([{ event_type: 'toString' }, book()])).toMatchObject([
      { type: 'unknown', name: 'toString' },
      { type: 'book' },
    ])
    expect(read([])).toEqual([])
  })

  it.each([['{'], [''], ['null'], ['5'], ['[[]]'], ['{"event_type":5}'], ['x'.repeat(9_000_000)]])(
    'never throws',
    (text) => {
      expect(readMarketFrame(text)).toMatchObject([{ type: 'malformed' }])
    },
  )

  it('subscribes to tokens only', () => {
    expect(JSON.parse(subscribeMarketFrame([UP_TOKEN]))).toEqual({
      assets_ids: [UP_TOKEN],
      type: 'market',
      custom_feature_enabled: true,
    })
    expect(JSON.parse(changeMarketFrame('unsubscribe', [UP_TOKEN]))).toEqual({
      assets_ids: [UP_TOKEN],
      operation: 'unsubscribe',
      custom_feature_enabled: true,
    })
    expect(() => subscribeMarketFrame(['x'])).toThrow('not a token id')
  })
})
