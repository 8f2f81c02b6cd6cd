import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ServiceError } from '../../src/core/service-error.ts'
import { windowAt } from '../../src/core/time/window.ts'
import type { TradeRow } from '../../src/ledger/ports/bot-book.ts'
import { heldBy } from '../../src/testing/bot/hand-made-bot.ts'
import { type OperatorWorld, openOperator } from '../../src/testing/operator/operator-world.ts'
import { windowMarketAt } from '../../src/testing/products/hand-made-prediction.ts'

let world: OperatorWorld
beforeAll(async () => {
  world = await openOperator()
})
afterAll(() => world.served.close())
beforeEach(() => world.reset())

test('GET /admin/trading: state, breaker, today, obstacles, configuration', async () => {
  const { status, json } = await world.get('/admin/trading')
  expect([status, json]).toEqual([
    200,
    expect.objectContaining({
      source: 'sandbox:bot_ledger',
      broker: 'paper',
      sim: true,
      state: 'stopped',
      obstacles: [{ code: 'no_credentials', text: 'set the key of the venue' }],
      open_orders: 0,
      last_reconciled_at: null,
    }),
  ])
  expect(json.config).toMatchObject({ version: 0, by: 'default', sim_mode: true })
  expect(json.breaker_events).toMatchObject([{ kind: 'opened', reason: 'consecutive_losses', by: 'bot' }])
})

describe('the configuration', () => {
  test('a change touches only what it names, and leaves a version with who made it', async () => {
    const { get, post, bot } = world
    const before = (await get('/admin/trading/config')).json
    const changed = await post('/admin/trading/config', {
      size_usd: 2.55,
      daily_loss_limit_usd: 12.34,
      contrarian: { enabled: true },
    })
    expect(changed.json).toMatchObject({
      version: 1,
      by: 'environment',
      config: {
        ...before.config,
        size_usd: 2.55,
        daily_loss_limit_usd: 12.34,
        contrarian: { enabled: true, max_confidence: before.config.contrarian.max_confidence },
      },
    })
    expect(bot.acts).toEqual([
      {
        act: 'updateConfig',
        change: {
          sizeUsd: 2_550_000n,
          dailyLossLimitUsd: 12_340_000n,
          contrarian: { enabled: true },
        },
        by: 'environment',
        madeOf: undefined,
      },
    ])
    const after = (await get('/admin/trading/config')).json
    expect(after).toMatchObject({ version: 1, history: [{ version: 1 }, { version: 0, by: 'default' }] })
  })

  test('leaving sim mode without live credentials is 409, and says what to do', async () => {
    const { status, json } = await world.post('/admin/trading/config', { sim_mode: false })
    expect([status, json.detail]).toEqual([409, 'live trading is not configured: set the key of the venue'])
    expect((await world.get('/admin/trading/config')).json.config.sim_mode).toBe(true)
  })
})

test('POST /admin/trading/reset-cb closes the breaker, again and again', async () => {
  for (let n = 0; n < 2; n++) {
    const { status, json } = await world.post('/admin/trading/reset-cb')
    expect([status, json.breaker]).toMatchObject([200, { open: false, consecutive_losses: 0 }])
    expect(json).not.toHaveProperty('note')
  }
  const { json } = await world.get('/admin/trading')
  expect(json.state).toBe('running')
  expect(json.breaker_events.map(({ kind }: { kind: string }) => kind)).toEqual(['reset', 'reset', 'opened'])
})

test('a reset or a boss signal that does not make the bot buy says why', async () => {
  const { post, bot } = world
  await bot.updateConfig({ enabled: false }, 'me')
  const replies = [
    await post('/admin/trading/reset-cb'),
    await post('/admin/trading/boss-signal', { direction: 'UP' }),
  ]
  expect(replies.map(({ json }) => json.note)).toEqual(
    Array(2).fill('the bot buys nothing now: it is paused'),
  )
})

test('POST /admin/trading/boss-signal is for the next window of a coin', async () => {
  const { post, clock, bot } = world
  const { json } = await post('/admin/trading/boss-signal', {
    direction: 'DOWN',
    coin: 'SOL',
    reason: 'news',
  })
  expect(json.boss_signal).toMatchObject({
    coin: 'SOL',
    direction: 'DOWN',
    reason: 'news',
    window_start: windowAt(clock.now()).startS + 300,
    used_at: null,
    by: 'environment',
  })
  await post('/admin/trading/boss-signal', { direction: 'UP' })
  expect(bot.acts.at(-1)).toMatchObject({ coin: 'BTC', reason: undefined })
})

test('POST /admin/trading/buy buys any coin, and one id is one order', async () => {
  const order = { side: 'NO', coin: 'eth', size_usd: 1.5, client_order_id: 'admin-1' }
  const [first, again] = [
    await world.post('/admin/trading/buy', order),
    await world.post('/admin/trading/buy', order),
  ]
  expect(first.json).toMatchObject({ coin: 'ETH', outcome: 'DOWN', size_usd: 1.5, repeat: false })
  expect(again.json).toMatchObject({ order_id: first.json.order_id, repeat: true })
  expect((await world.post('/admin/trading/buy', { ...order, size_usd: 2 })).status).toBe(409)
})

test('the account and the version that the operator means are handed on', async () => {
  const { post, bot } = world
  await post('/admin/trading/buy', { side: 'YES', size_usd: 1, broker: 'polymarket' })
  await post('/admin/trading/boss-signal', { direction: 'UP', broker: 'paper' })
  await post('/admin/trading/config', { size_usd: 2, version: 0 })
  expect(bot.acts).toMatchObject([
    { act: 'buy', broker: 'polymarket' },
    { act: 'bossSignal', broker: 'paper' },
    { act: 'updateConfig', madeOf: 0 },
  ])
  expect((await post('/admin/trading/config', { version: 1 })).status).toBe(422)
  expect((await post('/admin/trading/buy', { side: 'YES', size_usd: 1, broker: 'other' })).status).toBe(422)
})

test('POST /admin/trading/claim-wins tells what was claimed, and what was not and why', async () => {
  expect((await world.post('/admin/trading/claim-wins')).json).toMatchObject({
    broker: 'paper',
    sim: true,
    scanned: 2,
    claimed_usd: 10.500001,
    claimed: [
      { coin: null, amount_usd: 10, transaction: '0x5e' },
      { coin: 'ETH', amount_usd: 0.500001 },
    ],
    pending: [{ condition_id: `0x${'d0'.repeat(32)}`, reason: 'the relayer does not answer' }],
  })
})

const tradeOf = (n: number, broker: TradeRow['broker']): TradeRow => ({
  broker,
  conditionId: `0x${broker}${n}`,
  coin: 'BTC',
  windowStartS: 300 * n,
  direction: 'UP',
  outcome: n % 2 ? 'UP' : 'DOWN',
  origin: 'round',
  confidence: n % 2 ? 0.6 : undefined,
  boughtSharesE6: 10_000_000n,
  costE6: 5_000_000n,
  feesE6: 175_001n,
  collectedE6: n % 2 ? 10_000_000n : 0n,
  profitE6: n % 2 ? 4_824_999n : -5_175_001n,
  roundProfitE6: n % 2 ? 4_824_999n : -5_175_001n,
  openedMs: 300_000 * n,
  resolvedMs: 300_000 * n + 320_000,
  breakerSeq: 0,
})

describe('trades', () => {
  beforeAll(async () => {
    for (let n = 1; n <= 5; n++) {
      const trades = [tradeOf(n, 'paper'), ...(n <= 2 ? [tradeOf(n, 'polymarket')] : [])]
      for (const trade of trades) {
        await world.store.bot.settle(trade)
        world.results.add(trade)
      }
    }
    await world.results.idle()
  })

  test('GET /admin/trading/history pages through them, each marked as paper or real', async () => {
    const page = async (query: string) => (await world.get(`/admin/trading/history${query}`)).json
    const all = await page('')
    expect([all.total, all.count, all.limit, all.offset, all.real_only]).toEqual([7, 7, 50, 0, false])
    const starts = all.trades.map((trade: { window_start: number }) => trade.window_start)
    expect(starts).toEqual(starts.toSorted((a: number, b: number) => b - a))
    expect(all.trades.every((t: { sim: boolean; broker: string }) => t.sim === (t.broker === 'paper'))).toBe(
      true,
    )
    const [first, second, past] = await Promise.all(
      ['0', '4', '7'].map((at) => page(`?limit=4&offset=${at}`)),
    )
    expect([...first.trades, ...second.trades]).toEqual(all.trades)
    expect([past.total, past.count, past.trades]).toEqual([7, 0, []])
    const real = await page('?real_only=true')
    expect([real.total, real.trades.map((t: { sim: boolean }) => t.sim)]).toEqual([2, [false, false]])
    expect(real.trades[0]).toMatchObject({
      broker: 'polymarket',
      confidence: null,
      cost_usd: 5,
      fees_usd: 0.175001,
      collected_usd: 0,
      profit_usd: -5.175001,
    })
  })

  test('GET /admin/portfolio keeps the two accounts apart', async () => {
    const { bot, clock, get, venue } = world
    bot.made.positions = [
      heldBy(clock),
      heldBy(clock, { costE6: 1n, valueE6: 2n }),
      heldBy(clock, { broker: 'polymarket', costE6: 2_500_000n, valueE6: 3_000_000n }),
    ]
    const { json } = await get('/admin/portfolio')
    expect(json.accounts).toEqual([
      {
        broker: 'paper',
        sim: true,
        in_use: true,
        cash_usd: 994.825,
        positions: { count: 2, cost_usd: 5.175001, value_usd: 6.000002 },
        trades: 5,
        profit_usd: 4.124995,
        fees_usd: 0.875005,
        bot: { trades: 5, wins: 3, losses: 2, profit_usd: 4.124995 },
      },
      {
        broker: 'polymarket',
        sim: false,
        in_use: false,
        cash_usd: 12.340001,
        positions: { count: 1, cost_usd: 2.5, value_usd: 3 },
        trades: 2,
        profit_usd: -0.350002,
        fees_usd: 0.350002,
        bot: { trades: 2, wins: 1, losses: 1, profit_usd: -0.350002 },
      },
    ])
    bot.made.positions = [heldBy(clock), heldBy(clock, { valueE6: undefined })]
    venue.fault = new ServiceError('upstream_unavailable', 'the venue does not answer')
    expect((await get('/admin/portfolio')).json.accounts).toMatchObject([
      { positions: { count: 2, value_usd: null } },
      { cash_usd: null, positions: null, fault: 'the venue does not answer', trades: 2 },
    ])
  })
})

test('GET /admin/trading/markets: all four coins, and why one is missing', async () => {
  const { services, clock, get } = world
  services.fiveMinute = {
    open: (coin) =>
      coin === 'SOL'
        ? undefined
        : { ...windowMarketAt(coin, clock.now()), asOfMs: clock.now() - (coin === 'XRP' ? 11_000 : 2_000) },
    missing: (coin) => `the ${coin} market is being looked up`,
  }
  const { json } = await get('/admin/trading/markets')
  expect([json.count, json.timestamp]).toEqual([2, new Date(clock.now() - 2_000).toISOString()])
  expect(json.markets).toMatchObject([
    { coin: 'BTC', market: { up: { mid: 0.495 }, down: { mid: 0.505 } } },
    { coin: 'ETH', market: { coin: 'ETH' } },
    { coin: 'SOL', market: null, reason: 'the SOL market is being looked up' },
    { coin: 'XRP', market: null, reason: 'the book is 11 s old' },
  ])
})
