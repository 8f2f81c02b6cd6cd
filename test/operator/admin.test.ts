import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/core/time/time.ts'
import { TASKS_MAX } from '../../src/ledger/ports/operator-book.ts'
import { COMMANDS } from '../../src/operator/admin/commands.ts'
import { type OperatorWorld, openOperator } from '../../src/testing/operator/operator-world.ts'
import { ALICE, BOB, NOW_MS, OPERATOR } from '../../src/testing/payments/desk-world.ts'
import { signalAt, signalsOf } from '../../src/testing/products/hand-made-signals.ts'

let world: OperatorWorld
beforeAll(async () => {
  world = await openOperator()
})
afterAll(() => world.served.close())
beforeEach(() => world.reset())

describe('money and traffic', () => {
  beforeAll(async () => {
    const { settle, store } = world
    await settle(ALICE, '1000', HOUR_MS)
    await settle(ALICE, '100', 2 * HOUR_MS, { productId: 'market.btc_price' })
    await settle(BOB, '250000', 3 * DAY_MS)
    await settle(OPERATOR, '7000000', HOUR_MS)
    const record = (productId: string, agoMs: number, ms: number | undefined, status = 200) =>
      store.usage.record({ atMs: NOW_MS - agoMs, productId, via: 'paid', status, ms })
    record('market.price', 0, 2)
    record('market.price', 0, 4)
    record('market.price', DAY_MS, undefined)
    record('market.btc_price', 0, 12, 503)
    store.usage.record({ atMs: NOW_MS, productId: 'market.price', via: 'demo', status: 200, ms: 1 })
  })

  test('GET /admin/usage: spend per wallet, calls per endpoint and day, the operator apart', async () => {
    const { json } = await world.get('/admin/usage')
    expect(json).toMatchObject({
      source: 'sandbox:ledger',
      mode: 'sandbox',
      settlements: 3,
      revenue_usdc: 0.2511,
      revenue_atomic: '251100',
      own_purchases: { settlements: 1, revenue_usdc: 7 },
      unique_wallets: 2,
      wallets: [
        { wallet: BOB, revenue_usdc: 0.25 },
        { wallet: ALICE, settlements: 2, revenue_atomic: '1100' },
      ],
      other_wallets: { count: 0, settlements: 0 },
      revenue_per_day: [
        { date: '2026-01-05', revenue_atomic: '1100' },
        { date: '2026-01-02', revenue_atomic: '250000' },
      ],
      requests: 5,
      endpoints: [
        { endpoint: 'market.btc_price', requests: 1, per_day: [{ requests: 1, failed: 1 }] },
        {
          endpoint: 'market.price',
          requests: 4,
          per_day: [
            { date: '2026-01-04', requests: 1, failed: 0 },
            { date: '2026-01-05', requests: 3, failed: 0 },
          ],
        },
      ],
    })
    const sum = (parts: { revenue_atomic: string }[]) =>
      parts.reduce((all, part) => all + Number(part.revenue_atomic), 0)
    for (const parts of [json.wallets, json.products, json.revenue_per_day])
      expect(sum(parts)).toBe(Number(json.revenue_atomic))
  })

  test('GET /analytics: calls by day, endpoint, access and status, with how long they took', async () => {
    const today = Math.floor(world.clock.now() / DAY_MS)
    const view = { page: '/docs', views: 2, visitors: 1 }
    for (const day of [today, today - 29, today - 30])
      for (const page of ['/docs', '*']) world.store.pageViews.record({ ...view, day, page })
    world.store.pageViews.record({ ...view, day: today, page: '/', views: 9 })
    const { json } = await world.get('/analytics')
    expect(json.page_views).toEqual({
      views: 4,
      visitors: 2,
      per_day: [
        { date: '2025-12-07', views: 2, visitors: 1 },
        { date: '2026-01-05', views: 2, visitors: 1 },
      ],
      per_page: [
        { page: '/', views: 9, visitors: 1 },
        { page: '/docs', views: 4, visitors: 2 },
      ],
    })
    expect(json).toMatchObject({
      days: 30,
      total: { calls: 5, failed: 1, latency_ms: { timed: 4, mean: 4.75, max: 12 } },
      per_day: [
        { date: '2026-01-04', calls: 1, latency_ms: null },
        { date: '2026-01-05', calls: 4 },
      ],
      per_endpoint: [
        { endpoint: 'market.btc_price', calls: 1, failed: 1 },
        { endpoint: 'market.price', calls: 4, failed: 0 },
      ],
      per_access: [
        { access: 'demo', calls: 1 },
        { access: 'paid', calls: 4 },
      ],
      per_status: [
        { status: 200, calls: 4, failed: 0 },
        { status: 503, calls: 1, failed: 1 },
      ],
    })
  })

  test('GET /admin/dashboard: the whole at a glance', async () => {
    await world.get('/trade/book')
    const { json } = await world.get('/admin/dashboard')
    expect(json).toMatchObject({
      mode: 'sandbox',
      revenue: { today: { revenue_atomic: '1100' }, total: { revenue_atomic: '251100' } },
      calls_today: { calls: 4, failed: 1 },
      refused_payments: {
        since: new Date(NOW_MS).toISOString(),
        count: 2,
        per_reason: [{ reason: 'expired', meaning: 'it is too old', count: 2 }],
      },
      bot: {
        broker: 'paper',
        sim: true,
        state: 'stopped',
        breaker: { open: true, reason: 'consecutive_losses' },
        today: { trades: 2, profit_usd: -1.25, at_risk_usd: 5.175 },
        obstacles: [{ code: 'no_credentials' }],
      },
      health: { status: 'degraded', checks: 4, troubles: [{ name: 'BTC', status: 'down' }] },
      tasks: { count: 0, newest: [] },
    })
    const { of_keys, of_strangers, dropped, dropped_at } = json.audit
    expect(of_keys.some(({ endpoint }: { endpoint: string }) => endpoint === 'trade.book')).toBe(true)
    expect([of_strangers, dropped, dropped_at]).toEqual([[], 0, null])
  })

  test('whoever knocks does not hide on the dashboard what was done with a key', async () => {
    await world.get('/trade/book')
    for (let n = 0; n < 30; n++) await world.served.ask('POST', '/trade/buy?side=YES')
    const { audit } = (await world.get('/admin/dashboard')).json
    expect(audit.of_strangers).toHaveLength(20)
    expect(audit.of_strangers[0]).toMatchObject({ key_id: null, endpoint: 'trade.buy', status: 401 })
    expect(audit.of_keys[0]).toMatchObject({ key_id: 'environment', endpoint: 'trade.book' })
  })
})

describe('the board', () => {
  test('shows tasks newest first, with who wrote them', async () => {
    const { post, get } = world
    const first = await post('/admin/task', { title: 'first', priority: 'high' })
    expect([first.status, first.json.task]).toEqual([
      200,
      expect.objectContaining({ title: 'first', priority: 'high', detail: null, by: 'environment' }),
    ])
    await post('/admin/task', { title: 'second', detail: 'two\nlines', assignee: 'me' })
    // Every call adds one.
    await post('/admin/task', { title: 'second' })
    const { json } = await get('/admin/taskboard')
    expect(json).toMatchObject({ count: 3, per_priority: { low: 0, normal: 2, high: 1 } })
    expect(json.tasks.map(({ title }: { title: string }) => title)).toEqual(['second', 'second', 'first'])
    expect((await get('/admin/dashboard')).json.tasks).toMatchObject({ count: 3 })
    expect(first.json.gave_way).toBe(null)
  })

  test('when it is full the oldest gives way, and the reply says so', async () => {
    const row = { by: 'a', title: 'x', detail: undefined, priority: 'low', assignee: undefined } as const
    for (let n = (await world.store.operator.tasks()).length; n < TASKS_MAX; n++)
      await world.store.operator.addTask({ ...row, createdMs: n })
    const { status, json } = await world.post('/admin/task', { title: 'one more' })
    expect([status, json.gave_way.title]).toEqual([200, 'first'])
    expect((await world.get('/admin/taskboard')).json.count).toBe(TASKS_MAX)
  })
})

test.each(COMMANDS)('POST /admin/command %s runs it and says how long it took', async (command) => {
  const { status, json } = await world.post('/admin/command', { command })
  expect([status, json]).toEqual([
    200,
    expect.objectContaining({ command, did: `did ${command}`, facts: { entries: 3 }, took_ms: 7 }),
  ])
  expect(world.ran).toEqual([`${command} by environment`])
})

describe('GET /admin/signals', () => {
  test('signals of all coins, or why there is none, and the last decisions', async () => {
    const { services, clock, get, store } = world
    services.signals = {
      ...signalsOf((coin) => (coin === 'ETH' ? undefined : signalAt(coin, clock.now()))),
      missing: (coin) => `no trades of ${coin}`,
    }
    const decision = {
      windowStartS: 300,
      attempt: 1,
      atMs: clock.now(),
      broker: 'paper',
      action: 'none',
      reason: 'edge',
    } as const
    await store.bot.addDecision({ ...decision, coin: 'BTC', facts: '{"edge":0.01}' })
    await store.bot.addDecision({ ...decision, coin: 'ETH', facts: 'not json' })
    const { json } = await get('/admin/signals')
    expect(json.signals).toMatchObject([
      { coin: 'BTC', direction: 'UP', confidence: 0.6 },
      { coin: 'SOL' },
      { coin: 'XRP' },
    ])
    expect(json.missing).toEqual([{ coin: 'ETH', reason: 'no trades of ETH' }])
    const facts = json.decisions.map((row: { facts: unknown }) => row.facts)
    expect(facts).toHaveLength(2)
    expect(facts).toContainEqual({ edge: 0.01 })
    expect(facts).toContainEqual({ text: 'not json' })
    expect(json.decisions[0]).toMatchObject({ broker: 'paper', sim: true, reason: 'edge' })
  })

  test('a signal of the window before is none', async () => {
    const { services, clock, get } = world
    services.signals = signalsOf((coin) => signalAt(coin, clock.now() - 300_000))
    const { json } = await get('/admin/signals')
    expect(json.signals).toEqual([])
    expect(json.missing[0]).toEqual({ coin: 'BTC', reason: expect.stringContaining('just opened') })
  })
})
