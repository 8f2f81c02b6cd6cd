import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ServiceError } from '../../src/core/service-error.ts'
import { windowAt } from '../../src/core/time/window.ts'
import { heldBy } from '../../src/testing/bot/hand-made-bot.ts'
import { DOWN_TOKEN, UP_TOKEN } from '../../src/testing/bot/hand-made-orders.ts'
import { type OperatorWorld, openOperator } from '../../src/testing/operator/operator-world.ts'
import { TOKENS, windowMarketAt } from '../../src/testing/products/hand-made-prediction.ts'

let world: OperatorWorld
beforeAll(async () => {
  world = await openOperator()
})
afterAll(() => world.served.close())
beforeEach(() => world.reset())

describe('GET /trade/book', () => {
  test('shows the best of both sides of both tokens, and how long the window lasts', async () => {
    const { clock, get } = world
    const { status, json } = await get('/trade/book')
    const { startS } = windowAt(clock.now())
    expect([status, json]).toEqual([
      200,
      expect.objectContaining({
        timestamp: new Date(clock.now()).toISOString(),
        source: 'sandbox:polymarket',
        coin: 'BTC',
        window_start: startS,
        seconds_remaining: 300,
        accepting_orders: true,
        tick_size: 0.01,
        up: {
          token_id: TOKENS.up,
          bid: { price: 0.49, size_shares: 100 },
          ask: { price: 0.5, size_shares: 100 },
          mid: 0.495,
          last: 0.5,
        },
        down: expect.objectContaining({ token_id: TOKENS.down, bid: { price: 0.5, size_shares: 100 } }),
      }),
    ])
  })

  test('an empty side is null, and a closed market takes no orders', async () => {
    const { clock, services, get } = world
    const more = { up: { bids: [], asks: [] }, market: { closed: true } }
    services.fiveMinute = { open: (coin) => windowMarketAt(coin, clock.now(), more), missing: () => '' }
    expect((await get('/trade/book')).json).toMatchObject({
      accepting_orders: false,
      up: { bid: null, ask: null, mid: null },
      down: { mid: 0.505 },
    })
  })

  test('a book that is missing, of another window or older than ten seconds is 503', async () => {
    const { clock, services, get } = world
    const ageOf = (ageMs: number, atMs = clock.now()) => {
      services.fiveMinute = {
        open: (coin) => ({ ...windowMarketAt(coin, atMs), asOfMs: clock.now() - ageMs }),
        missing: () => 'looked for',
      }
    }
    ageOf(10_000)
    expect((await get('/trade/book')).json.book_age_ms).toBe(10_000)
    ageOf(10_001)
    expect((await get('/trade/book')).json).toMatchObject({ status: 503, code: 'stale_data' })
    ageOf(0, clock.now() - 300_000)
    expect((await get('/trade/book')).json).toMatchObject({ status: 503, code: 'upstream_unavailable' })
    services.fiveMinute = { open: () => undefined, missing: () => 'looked for' }
    expect((await get('/trade/book')).json).toMatchObject({ detail: 'no BTC book: looked for' })
  })
})

test('GET /trade/balance: cash of the account in use, as old as it is', async () => {
  const { bot, clock, get } = world
  bot.made.cashE6 = 994_825_001n
  expect((await get('/trade/balance')).json).toEqual({
    timestamp: new Date(clock.now() - 500).toISOString(),
    source: 'sandbox:broker',
    broker: 'paper',
    sim: true,
    cash_usd: 994.825001,
  })
  bot.made.isSim = false
  expect((await get('/trade/balance')).json).toMatchObject({ broker: 'polymarket', sim: false })
  bot.made.fault = new ServiceError('upstream_unavailable', 'the venue does not answer')
  expect((await get('/trade/balance')).json).toMatchObject({
    status: 503,
    detail: 'the venue does not answer',
  })
})

test('GET /trade/positions: those of BTC that are worth something, newest first', async () => {
  const { bot, clock, get } = world
  const openedMs = clock.now()
  bot.made.positions = [
    heldBy(clock, { tokenId: '1000000001', openedMs: openedMs - 2_000 }),
    heldBy(clock, { tokenId: '1000000002', coin: 'ETH' }),
    heldBy(clock, { tokenId: '1000000003', valueE6: 0n, bid: 0, resolvedAs: 'DOWN' }),
    heldBy(clock, { tokenId: '1000000004', valueE6: undefined, bid: undefined, openedMs: openedMs - 1_000 }),
    heldBy(clock, { tokenId: '1000000005', resolvedAs: 'UP', bid: 1, valueE6: 10_000_000n }),
  ]
  const { json } = await get('/trade/positions')
  expect(json.positions.map((position: { token_id: string }) => position.token_id)).toEqual([
    '1000000005',
    '1000000004',
    '1000000001',
  ])
  expect(json).toMatchObject({ count: 3, broker: 'paper', sim: true })
  expect(json.positions[1]).toMatchObject({ bid: null, value_usd: null, unrealized_profit_usd: null })
  expect(json.positions[2]).toMatchObject({ shares: 10, cost_usd: 5.175, unrealized_profit_usd: 0.825 })
  const all = await get('/admin/positions')
  expect(all.json.count).toBe(5)
  bot.made.positions = []
  expect((await get('/trade/positions')).json).toMatchObject({ count: 0, positions: [] })
})

describe('POST /trade/buy', () => {
  test('YES buys UP, NO buys DOWN, five dollars by default, in the name of the key', async () => {
    const { bot, post } = world
    const { status, json } = await post('/trade/buy?side=YES')
    expect([status, json]).toEqual([
      200,
      expect.objectContaining({
        source: 'sandbox:broker',
        broker: 'paper',
        sim: true,
        coin: 'BTC',
        outcome: 'UP',
        token_id: UP_TOKEN,
        side: 'BUY',
        limit_price: 0.51,
        size_usd: 5,
        size_shares: null,
        filled_shares: 10,
        filled_usd: 5,
        average_price: 0.5,
        fees_usd: 0.175,
        repeat: false,
      }),
    ])
    expect(json.fills.map(({ state }: { state: string }) => state)).toEqual(['matched', 'failed'])
    expect((await post('/trade/buy?side=NO&size_usd=1.23')).json).toMatchObject({
      token_id: DOWN_TOKEN,
      size_usd: 1.23,
    })
    expect(bot.acts).toEqual([
      expect.objectContaining({ outcome: 'UP', spendE6: 5_000_000n, clientOrderId: undefined }),
      expect.objectContaining({ outcome: 'DOWN', spendE6: 1_230_000n, by: 'environment' }),
    ])
  })

  test('the same client order id twice is one order, and of other terms a conflict', async () => {
    const { post } = world
    const target = '/trade/buy?side=YES&size_usd=2&client_order_id=once'
    const replies = await Promise.all(Array.from({ length: 20 }, () => post(target)))
    expect(new Set(replies.map(({ json }) => json.order_id)).size).toBe(1)
    expect(replies.filter(({ json }) => !json.repeat)).toHaveLength(1)
    const other = await post('/trade/buy?side=YES&size_usd=3&client_order_id=once')
    expect([other.status, other.json.code]).toEqual([409, 'conflict'])
  })

  test('what the bot refuses is told with its reason', async () => {
    const { bot, post } = world
    bot.made.fault = new ServiceError('conflict', 'the daily loss limit is reached')
    expect((await post('/trade/buy?side=YES')).json).toMatchObject({
      status: 409,
      detail: 'the daily loss limit is reached',
    })
  })
})

test('POST /trade/sell: every position of the open BTC window, and nothing else', async () => {
  const { bot, clock, post } = world
  expect((await post('/trade/sell')).json).toMatchObject({ count: 0, orders: [] })
  bot.made.positions = [
    heldBy(clock),
    heldBy(clock, { tokenId: DOWN_TOKEN, outcome: 'DOWN' }),
    heldBy(clock, { coin: 'ETH' }),
    heldBy(clock, { windowStartS: 0 }),
  ]
  const { json } = await post('/trade/sell')
  expect(json).toMatchObject({ count: 2, broker: 'paper', sim: true })
  expect(json.orders[0]).toMatchObject({ side: 'SELL', size_usd: null, size_shares: 10, limit_price: 0.46 })
  expect(json.failed).toEqual([])
})

test('POST /trade/sell tells what it did not sell, and why', async () => {
  const { bot, clock, post } = world
  bot.made.positions = [heldBy(clock)]
  bot.made.unsold = [{ tokenId: DOWN_TOKEN, reason: 'the venue times out' }]
  expect((await post('/trade/sell')).json).toMatchObject({
    count: 1,
    failed: [{ token_id: DOWN_TOKEN, reason: 'the venue times out' }],
  })
})

describe('POST /trade/close', () => {
  test('sells some, or all with 0, and never more than is held', async () => {
    const { bot, clock, post } = world
    bot.made.positions = [heldBy(clock)]
    const close = (shares: string) => post(`/trade/close?token_id=${UP_TOKEN}&shares=${shares}`)
    expect((await post(`/trade/close?token_id=${UP_TOKEN}`)).json.size_shares).toBe(10)
    expect((await close('0')).json.size_shares).toBe(10)
    expect((await close('0.000001')).json.size_shares).toBe(0.000001)
    expect((await close('9.999999')).json.size_shares).toBe(9.999999)
    expect((await close('10.000001')).status).toBe(409)
    expect((await post('/trade/close?token_id=9999999999')).status).toBe(404)
    expect(bot.acts.at(2)).toMatchObject({ sharesE6: 1n })
  })

  test('says whose shares, where the operator does', async () => {
    const { bot, clock, post } = world
    bot.made.positions = [heldBy(clock, { broker: 'polymarket' })]
    const target = `/trade/close?token_id=${UP_TOKEN}`
    expect((await post(`${target}&broker=polymarket`)).status).toBe(200)
    expect((await post(target)).status).toBe(200)
    expect(bot.acts).toMatchObject([{ broker: 'polymarket' }, { broker: undefined }])
    expect((await post(`${target}&broker=other`)).status).toBe(422)
  })
})

test.each([
  [`/trade/close?token_id=${UP_TOKEN}`, { shares: 1 }],
  ['/trade/buy?side=YES', { size_usd: 1 }],
  ['/trade/sell', [1]],
  ['/admin/trading/reset-cb', { by: 'me' }],
])('POST %s does nothing where a body comes along: nobody would read it', async (target, body) => {
  const { bot, clock, post } = world
  bot.made.positions = [heldBy(clock)]
  const { status, json } = await post(target, body)
  expect([status, bot.acts]).toEqual([422, []])
  expect(json.detail).toEqual([
    {
      loc: ['body'],
      msg: 'is not read here: send the params in the query, and no body',
      type: 'extra_forbidden',
    },
  ])
})

test('an empty object says nothing, and is no reason to refuse', async () => {
  expect((await world.post('/trade/sell', {})).json).toMatchObject({ count: 0 })
})
