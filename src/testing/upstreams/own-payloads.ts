import {
  CONDITION_ID,
  DOWN_TOKEN,
  fiveMinuteEvent,
  fiveMinuteMarket,
  resolvedDown,
  UP_TOKEN,
} from './gamma-payloads.ts'

// Replies of our own in the shape of recorded ones, named after them, for those who do not have the recordings.

const WALLET = `0x${'c1'.repeat(20)}`
const HASH = `0x${'5e'.repeat(32)}`
const AT_S = 1_790_617_512
const AT_MS = String(AT_S * 1000 + 250)

const levels = (prices: readonly number[]) =>
  prices.map((price) => ({ price: String(price), size: String(price * 1000) }))

const book = {
  market: CONDITION_ID,
  asset_id: UP_TOKEN,
  timestamp: AT_MS,
  hash: 'd1'.repeat(20),
  bids: levels([0.01, 0.4, 0.58, 0.6]),
  asks: levels([0.99, 0.8, 0.64, 0.63]),
  min_order_size: '5',
  tick_size: '0.01',
  neg_risk: false,
  last_trade_price: '0.62',
}

const row = {
  proxy_wallet: WALLET,
  timestamp: AT_S,
  condition_id: CONDITION_ID,
  transaction_hash: HASH,
  price: 0.5,
  token_id: UP_TOKEN,
  side: 'BUY',
  title: 'Bitcoin Up or Down',
  slug: 'btc-updown-5m-1790617500',
  event_slug: 'btc-updown-5m-1790617500',
  outcome: 'Up',
}
const paged = (rows: readonly object[], next_cursor: string | null = null) => ({
  data: rows,
  pagination: { limit: 1000, offset: 0, has_more: next_cursor !== null, next_cursor },
})

const makerOrder = {
  order_id: HASH,
  owner: 'a-key',
  maker_address: WALLET,
  matched_amount: '7.5',
  price: '0.52',
  asset_id: UP_TOKEN,
  outcome: 'Up',
  side: 'SELL',
}
const trade = {
  id: 'trade-1',
  taker_order_id: HASH,
  market: CONDITION_ID,
  asset_id: UP_TOKEN,
  side: 'BUY',
  size: '12.5',
  price: '0.52',
  status: 'MATCHED',
  match_time: String(AT_S),
  last_update: String(AT_S),
  outcome: 'Up',
  owner: 'a-key',
  maker_address: WALLET,
  maker_orders: [makerOrder, { ...makerOrder, matched_amount: '5' }],
  transaction_hash: HASH,
  trader_side: 'TAKER',
}

export const OWN_PAYLOADS: Readonly<Record<string, unknown>> = {
  'recorded/polymarket-gamma/event_by_slug_btc_updown_5m_resolved.json': fiveMinuteEvent(resolvedDown, {
    eventMetadata: { priceToBeat: 64_000.25, finalPrice: 63_990 },
  }),
  'recorded/polymarket-gamma/gamma_event.json': [fiveMinuteEvent(), fiveMinuteEvent({}, { tags: null })],
  'recorded/polymarket-gamma/search_response.json': {
    events: [fiveMinuteEvent()],
    pagination: { hasMore: true, totalResults: 12 },
  },
  'recorded/polymarket-gamma/market_btc_updown_5m_2026-03_full.json': [
    { ...fiveMinuteMarket(), events: [{ slug: 'an-event', title: 'An event' }] },
  ],
  'recorded/polymarket-clob/book_btc_updown_5m.json': book,
  'recorded/polymarket-clob/prices_history.json': {
    history: [
      { t: AT_S, p: 0.5 },
      { t: AT_S + 60, p: 0.55 },
    ],
  },
  'recorded/polymarket-clob/market_by_condition_resolved.json': {
    condition_id: CONDITION_ID,
    market_slug: 'btc-updown-5m-1790617500',
    question: 'Up or down?',
    tokens: [
      { token_id: UP_TOKEN, outcome: 'Up', price: 1, winner: true },
      { token_id: DOWN_TOKEN, outcome: 'Down', price: 0, winner: false },
    ],
    active: true,
    closed: true,
    accepting_orders: false,
    minimum_tick_size: 0.001,
    minimum_order_size: 5,
    seconds_delay: 0,
    neg_risk: false,
    end_date_iso: '2026-09-28T00:00:00Z',
  },
  'from-docs/polymarket_clob_market_info.json': {
    c: CONDITION_ID,
    t: [
      { t: UP_TOKEN, o: 'Up' },
      { t: DOWN_TOKEN, o: 'Down' },
    ],
    mts: 0.01,
    mos: 5,
    fd: { r: 0.07, e: 1, to: true },
    ao: true,
    itode: true,
  },
  'recorded/polymarket-data/v2_activity.json': paged(
    [
      { ...row, type: 'TRADE', size: 10, usdc_size: 5.175 },
      { ...row, type: 'REDEEM', size: 10, usdc_size: 10, price: 0, side: '' },
      {
        ...row,
        type: 'MAKER_REBATE',
        size: 1,
        usdc_size: 1,
        price: 0,
        side: '',
        token_id: '',
        condition_id: '',
      },
    ],
    'bmV4dA',
  ),
  'recorded/polymarket-data/v2_trades_taker_only.json': paged([{ ...row, size: 10 }]),
  'recorded/polymarket-data/v2_positions_open.json': paged([
    {
      ...row,
      current_size: 10,
      avg_price: 0.5,
      entry_cost_usdc: 5,
      entry_fees_usdc: 0.175,
      current_price: 0.6,
      current_value: 6,
      realized_pnl: 0,
      unrealized_pnl: 1,
      redeemable: false,
      mergeable: false,
      end_date: '2026-09-28',
      status: 'OPEN',
    },
  ]),
  'recorded/polymarket-data/v2_value.json': { data: { proxy_wallet: WALLET, value: 12.5 } },
  'recorded/polymarket-data/v2_resolutions.json': {
    data: [{ condition_id: CONDITION_ID, status: 'resolved', was_disputed: false, payouts: [0, 1_000_000] }],
  },
  'recorded/polymarket-web/crypto_price.json': {
    openPrice: 64_000.25,
    closePrice: null,
    timestamp: AT_S * 1000,
    completed: false,
    incomplete: false,
    cached: true,
  },
  'from-docs/polymarket_geoblock.json': { blocked: true, ip: '203.0.113.9', country: 'US', region: 'NY' },
  'recorded/polymarket-ws/market_channel_messages_tardis.json': [
    { event_type: 'book', ...book },
    [{ event_type: 'book', ...book, asset_id: DOWN_TOKEN }],
    {
      event_type: 'price_change',
      market: CONDITION_ID,
      timestamp: AT_MS,
      price_changes: [
        {
          asset_id: UP_TOKEN,
          price: '0.6',
          size: '0',
          side: 'BUY',
          hash: 'aa',
          best_bid: '0.58',
          best_ask: '0.63',
        },
      ],
    },
  ],
  'recorded/polymarket-ws/py_book.json': { event_type: 'book', ...book },
  'recorded/polymarket-ws/py_user_trade1.json': {
    ...trade,
    event_type: 'trade',
    type: 'TRADE',
    timestamp: AT_MS,
  },
  'recorded/polymarket-ws/py_order_placement.json': {
    event_type: 'order',
    type: 'PLACEMENT',
    id: HASH,
    market: CONDITION_ID,
    asset_id: UP_TOKEN,
    side: 'BUY',
    price: '0.52',
    original_size: '12.5',
    size_matched: '0',
    outcome: 'Up',
    created_at: String(AT_S),
    expiration: '0',
    timestamp: AT_MS,
  },
  'recorded/polymarket-ws/py_trades.json': trade,
  'from-docs/polymarket_rs_user_trades.json': { data: [trade], next_cursor: 'LTE=', limit: 100, count: 1 },
  'from-docs/polymarket_balance_allowance.json': {
    balance: '12500000',
    allowances: { [WALLET]: String(2n ** 256n - 1n) },
  },
  'from-docs/polymarket_order_response_v2.json': {
    success: true,
    errorMsg: '',
    orderID: HASH,
    takingAmount: '10',
    makingAmount: '5.2',
    status: 'matched',
    transactionsHashes: [HASH],
    tradeIDs: ['trade-1'],
  },
}
