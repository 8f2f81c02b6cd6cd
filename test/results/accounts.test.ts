import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createResults } from '../../src/bot/results/results.ts'
import { silentLog } from '../../src/core/log.ts'
import { ServiceError } from '../../src/core/service-error.ts'
import { windowAt } from '../../src/core/time/window.ts'
import { createTradeBook, lostAt, tradeAt, tradesInARow } from '../../src/testing/bot/hand-made-trades.ts'
import { botStatusAt, publicBot } from '../../src/testing/products/hand-made-bot.ts'
import { FIRST_S, openResults, type ResultsWorld } from './results-world.ts'

let world: ResultsWorld
beforeAll(async () => {
  world = await openResults()
})
afterAll(() => world.close())
beforeEach(() => world.reset())

const REAL = { broker: 'polymarket' } as const

describe('GET /performance', () => {
  test('tells the paper account until there was real money, and adds nothing up between them', async () => {
    world.services.bot = publicBot(world.clock)
    await world.trade(tradesInARow(40, 22))
    const paper = await world.ask('/performance')
    expect(paper.status).toBe(200)
    expect(paper.json).toMatchObject({
      source: 'sandbox:bot_ledger',
      account: 'paper',
      portfolio: {
        wallet_usdc: 1_000.5,
        // 22 × 4.90 − 18 × 5.10
        total_pnl_usdc: 16,
        win_rate: 55,
        win_rate_means_little: false,
        total_trades: 40,
        wins: 22,
        losses: 18,
        fees_usdc: 4,
        volume_usdc: 200,
        max_drawdown_usdc: 91.8,
        longest_losing_run: 18,
        losing_run_now: 18,
        best_trade_usdc: 4.9,
        worst_trade_usdc: -5.1,
      },
      other_account: { account: 'real', total_pnl_usdc: 0, total_trades: 0, best_trade_usdc: null },
      bot: 'Tollbook five-minute bot',
      platform: 'Polymarket',
    })
    const { win_rate_low, win_rate_high } = paper.json.portfolio
    expect([win_rate_low, win_rate_high]).toEqual([39.83, 69.29])
    expect(paper.json.recent_trades).toHaveLength(20)

    await world.trade([...tradesInARow(40, 22), lostAt(FIRST_S, REAL)])
    const real = (await world.ask('/performance')).json
    expect(real).toMatchObject({
      account: 'real',
      portfolio: { wallet_usdc: null, total_pnl_usdc: -5.1, total_trades: 1, wins: 0, fees_usdc: 0.1 },
      other_account: { account: 'paper', total_pnl_usdc: 16, total_trades: 40, wins: 22 },
    })
    expect(real.account_note).toMatch(/^the bot has traded with an account at the simulated venue/)
    world.services.sourceOf = (source) => source
    expect((await world.ask('/performance')).json.account_note).toMatch(/^the bot has traded with real money/)
    expect(real.portfolio.wallet_note).toBe('the bot trades with its paper account now')
    expect(real.recent_trades.map(({ account }: { account: string }) => account)).toEqual(['real'])
  })

  test.each([
    [29, true],
    [30, false],
  ])('a win rate over %i trades means little: %s', async (count, meansLittle) => {
    await world.trade(tradesInARow(count, 15))
    for (const [path, figures] of [
      ['/performance', 'portfolio'],
      ['/api/stats', undefined],
      ['/api/scalper', undefined],
    ] as const) {
      const { json } = await world.ask(path)
      const shown = figures ? json[figures] : json
      expect([path, shown.total_trades, shown.win_rate_means_little]).toEqual([path, count, meansLittle])
      expect([path, 'win_rate_note' in shown]).toEqual([path, meansLittle])
      if (meansLittle) expect(shown.win_rate_note).toContain('only 29 trades resolved')
    }
  })

  test('trades by hand are profit of the account and change nothing in the record of the bot', async () => {
    await world.trade([
      tradeAt(FIRST_S),
      tradeAt(FIRST_S + 300, { origin: 'operator', confidence: undefined }),
      lostAt(FIRST_S + 600, { origin: 'mixed', roundProfitE6: -3_000_000n }),
    ])
    const { portfolio, recent_trades } = (await world.ask('/performance')).json
    expect(portfolio).toMatchObject({
      total_trades: 2,
      wins: 1,
      win_rate: 50,
      bot_pnl_usdc: 1.9,
      account_trades: 3,
      total_pnl_usdc: 4.7,
      longest_losing_run: 1,
    })
    expect(recent_trades).toMatchObject([
      { decided_by: 'both', result: 'loss', pnl_usdc: -5.1, bot_pnl_usdc: -3 },
      { decided_by: 'operator', confidence: null, bot_pnl_usdc: null },
      { decided_by: 'bot', confidence: 0.6, timestamp: '2026-01-05T12:05:02.000Z' },
    ])
  })

  test('what cannot be read is null with its reason; a bug stays a bug and nothing is charged', async () => {
    await world.trade([])
    const without = (await world.ask('/performance')).json
    expect(without.portfolio).toMatchObject({
      wallet_usdc: null,
      wallet_note: 'no bot runs here',
      win_rate: 0,
      win_rate_note: 'no trade of the bot has been resolved yet',
    })
    const down = new ServiceError('upstream_unavailable', 'the venue is down')
    world.services.bot = publicBot(world.clock, { wallet: () => Promise.reject(down) })
    const unread = (await world.ask('/performance')).json
    expect(unread.portfolio.wallet_note).toBe('the account cannot be read right now')
    world.services.bot = publicBot(world.clock, { wallet: () => Promise.reject(new TypeError('bug')) })
    expect((await world.ask('/performance')).status).toBe(500)
  })

  test('holds now, however long ago the last trade was', async () => {
    const trade = tradeAt(FIRST_S)
    await world.trade([trade])
    const changedAt = new Date(trade.resolvedMs).toISOString()
    world.clock.advance(3_600_000)
    const { status, json } = await world.ask('/performance?max_age=1')
    expect([status, json.changed_at, json.timestamp]).toEqual([
      200,
      changedAt,
      new Date(world.clock.now()).toISOString(),
    ])
  })

  test('is 503 while the ledger is read, and 422 with a param that it does not know', async () => {
    world.services.results = createResults({ book: createTradeBook(), clock: world.clock, log: silentLog })
    const early = await world.ask('/performance')
    expect([early.status, early.json.code]).toEqual([503, 'upstream_unavailable'])
    expect((await world.ask('/performance?limit=1')).status).toBe(422)
  })
})

describe('GET /api/stats', () => {
  test('counts today by the start of the window, and each coin by itself', async () => {
    const midnightS = FIRST_S - (FIRST_S % 86_400)
    await world.trade([
      tradeAt(midnightS - 300),
      lostAt(midnightS, { coin: 'ETH' }),
      tradeAt(midnightS + 300, { coin: 'ETH' }),
    ])
    const { status, headers, json } = await world.ask('/api/stats')
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
    expect(json).toMatchObject({
      account: 'paper',
      total_trades: 3,
      fees_usdc: 0.3,
      today: { day: '2026-01-05', total_trades: 2, wins: 1, total_pnl_usdc: -0.2 },
      other_account: { account: 'real', total_trades: 0 },
    })
    expect(json.per_coin.map((each: Record<string, unknown>) => [each.coin, each.total_trades])).toEqual([
      ['BTC', 1],
      ['ETH', 2],
      ['SOL', 0],
      ['XRP', 0],
    ])
  })

  test('changes with the next trade and with the day', async () => {
    const results = await world.trade([tradeAt(FIRST_S)])
    expect((await world.ask('/api/stats')).json.total_trades).toBe(1)
    results.add(tradeAt(FIRST_S + 300))
    expect((await world.ask('/api/stats')).json).toMatchObject({
      total_trades: 2,
      today: { total_trades: 2 },
    })
    world.clock.advance(86_400_000)
    expect((await world.ask('/api/stats')).json).toMatchObject({
      total_trades: 2,
      today: { day: '2026-01-06', total_trades: 0 },
    })
  })
})

describe('GET /api/trades/recent', () => {
  test.each([
    ['/api/trades/recent', 10],
    ['/api/trades/recent?limit=1', 1],
    ['/api/trades/recent?limit=30', 30],
    ['/public/recent-trades', 10],
    ['/public/recent-trades?limit=1', 1],
    ['/public/recent-trades?limit=50', 50],
  ])('%s has %i, newest first', async (target, count) => {
    const trades = tradesInARow(60, 30)
    await world.trade(trades)
    const { status, json } = await world.ask(target)
    expect([status, json.count, json.total, json.account]).toEqual([200, count, 60, 'paper'])
    expect(json.trades.map((each: Record<string, unknown>) => each.window_start)).toEqual(
      trades
        .map(({ windowStartS }) => windowStartS)
        .reverse()
        .slice(0, count),
    )
    expect(json).not.toHaveProperty('note')
  })
  test.each([
    '/api/trades/recent?limit=0',
    '/api/trades/recent?limit=31',
    '/api/trades/recent?limit=1.5',
    '/public/recent-trades?limit=0',
    '/public/recent-trades?limit=51',
    '/public/recent-trades?limit=x',
  ])('%s is 422', async (target) => {
    expect((await world.ask(target)).status).toBe(422)
  })
  test('says that there is none', async () => {
    expect((await world.ask('/api/trades/recent')).json).toMatchObject({
      count: 0,
      trades: [],
      note: 'no trade of this account has been resolved yet',
    })
  })
})

describe('GET /api/bot-status', () => {
  test('tells the state, resolved trades of today and the last decision of a closed window', async () => {
    const { clock, services } = world
    const why = 'the wallet 0xabc needs 5 dollars'
    const status = () =>
      botStatusAt(clock.now(), { state: 'blocked', why, obstacles: [{ code: 'x', text: why }] })
    services.bot = publicBot(clock, { status })
    const { startS } = windowAt(clock.now())
    await world.trade([tradeAt(startS - 600), lostAt(startS - 300), lostAt(startS - 300, REAL)])
    const { json } = await world.ask('/api/bot-status')
    expect(json).toMatchObject({
      source: 'sandbox:bot',
      count: 1,
      bots: [
        {
          state: 'blocked',
          account: 'paper',
          strategy: 'fused',
          today: { trades: 2, pnl_usdc: -0.2 },
          breaker: { open: false, since: null, consecutive_losses: 0 },
          last_decision: { coin: 'BTC', action: 'buy', reason: 'contrarian' },
        },
      ],
    })
    expect(JSON.stringify(json)).not.toMatch(/0xabc|0\.61|risk|open_orders/)
  })
  test('tells the state also while the ledger cannot be read', async () => {
    const { clock, services } = world
    const down = new ServiceError('store_unavailable', 'the disk is full')
    services.bot = publicBot(clock, { lastDecision: () => Promise.reject(down) })
    const { bots } = (await world.ask('/api/bot-status')).json
    expect(bots).toMatchObject([{ state: 'running', last_decision: null }])
  })
  test('without a bot the list is empty', async () => {
    expect((await world.ask('/api/bot-status')).json).toMatchObject({
      count: 0,
      bots: [],
      note: 'no bot runs here',
    })
  })
})

describe('GET /api/scalper', () => {
  test('has the curve, today, the newest trades, open positions and the breaker', async () => {
    const { clock, services } = world
    services.bot = publicBot(clock)
    await world.trade([...tradesInARow(12, 6), lostAt(FIRST_S - 86_400)])
    const { json } = await world.ask('/api/scalper')
    expect(json).toMatchObject({
      account: 'paper',
      total_trades: 13,
      max_drawdown_usdc: 30.6,
      now: { account: 'paper', open_positions: 1, breaker: { open: false } },
    })
    expect(json.recent_trades).toHaveLength(10)
    expect(json.equity_curve).toHaveLength(13)
    expect(json.equity_curve.slice(0, 2)).toEqual([
      { timestamp: '2026-01-04T12:05:00.000Z', pnl_usdc: -5.1 },
      { timestamp: '2026-01-05T12:05:00.000Z', pnl_usdc: -0.2 },
    ])
    expect(json.equity_curve.at(-1).pnl_usdc).toBe(json.total_pnl_usdc)
  })

  test('is renewed every five seconds, and positions that cannot be read are null', async () => {
    const { clock, services } = world
    clock.advance(5_000 - (clock.now() % 5_000))
    let reads = 0
    services.bot = publicBot(clock, {
      countUnresolved: async () => {
        reads++
        if (reads > 1) throw new ServiceError('store_unavailable', 'the disk is full')
        return 1
      },
    })
    const openNow = async () => (await world.ask('/api/scalper')).json.now.open_positions
    expect([await openNow(), await openNow(), reads]).toEqual([1, 1, 1])
    clock.advance(5_000)
    expect([await openNow(), reads]).toEqual([null, 2])
  })
})
