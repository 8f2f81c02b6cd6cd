import { describe, expect, test } from 'vitest'
import { usd } from '../../src/core/money.ts'
import { type BotWorld, createBotWorld, WORLD_START_S } from '../../src/testing/bot/bot-world.ts'

/** Trades windows one after another; each ends as told. */
async function trade(world: BotWorld, outcomes: readonly ('UP' | 'DOWN')[]): Promise<void> {
  for (const outcome of outcomes) {
    const startS = Math.floor(world.clock.now() / 300_000) * 300
    await world.runTo(299)
    world.resolve('BTC', startS, outcome)
    await world.run(1)
  }
}

describe('the breaker', () => {
  test('opens after losses in a row, stays open over restarts, and closes only by a reset', async () => {
    const world = await createBotWorld()
    await world.bot.updateConfig({ maxConsecutiveLosses: 3, dailyLossLimitUsd: usd('1000') }, 'me')
    await trade(world, ['DOWN', 'DOWN', 'UP', 'DOWN', 'DOWN'])
    expect(world.bot.status()).toMatchObject({ state: 'running', breaker: { consecutiveLosses: 2 } })
    await trade(world, ['DOWN'])
    expect(world.bot.status()).toMatchObject({ state: 'stopped', breaker: { consecutiveLosses: 3 } })
    expect(world.bot.status().why).toContain('3 trades of paper lost in a row')
    const orders = await world.book.ordersSince(0)
    await world.restart()
    await trade(world, ['UP'])
    expect(await world.book.ordersSince(0)).toHaveLength(orders.length)
    expect(await world.book.decisionsOf('BTC', WORLD_START_S + 1_800)).toMatchObject([
      { reason: 'breaker_open' },
    ])
    await expect(
      world.bot.buy({ coin: 'BTC', outcome: 'UP', spendE6: 1_000_000n, clientOrderId: 'x', by: 'me' }),
    ).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('breaker_open') })
    expect(await world.bot.resetBreaker('me')).toMatchObject({ isOpen: false, consecutiveLosses: 0 })
    await trade(world, ['UP'])
    expect(await world.book.ordersSince(0)).toHaveLength(orders.length + 1)
    expect(await world.bot.breakerHistory(10)).toMatchObject([
      { kind: 'reset', by: 'me' },
      { kind: 'opened', by: 'bot' },
    ])
  })

  test('opens at the loss limit of the day; a reset does not forget the loss', async () => {
    const world = await createBotWorld()
    await world.bot.updateConfig({ maxConsecutiveLosses: 100, dailyLossLimitUsd: usd('10') }, 'me')
    await trade(world, ['DOWN', 'DOWN', 'DOWN'])
    expect(world.bot.status()).toMatchObject({ state: 'stopped', today: { profitE6: -10_342_998n } })
    await world.bot.resetBreaker('me')
    expect(world.bot.status()).toMatchObject({
      state: 'limited',
      why: expect.stringContaining('the daily loss limit of 10 USD'),
    })
    await trade(world, ['DOWN'])
    expect(world.bot.status().today.profitE6).toBe(-10_342_998n)
    await world.restart()
    expect(world.bot.status().state).toBe('limited')
  })

  test('what was lost on paper does not stop the real account, and does after the switch back', async () => {
    const world = await createBotWorld()
    await world.bot.updateConfig({ maxConsecutiveLosses: 2, dailyLossLimitUsd: usd('1000') }, 'me')
    await trade(world, ['DOWN'])
    await world.runTo(200)
    await world.bot.updateConfig({ simMode: false }, 'me')
    await trade(world, ['DOWN'])
    expect(world.bot.status()).toMatchObject({ broker: 'polymarket', state: 'running' })
    await world.bot.updateConfig({ simMode: true }, 'me')
    await world.run(1)
    expect(world.bot.status()).toMatchObject({ broker: 'paper', state: 'stopped' })
  })

  test('the trades of the day are named once they are used up', async () => {
    const world = await createBotWorld()
    await world.bot.updateConfig({ maxTradesPerDay: 1 }, 'me')
    expect(world.bot.status().state).toBe('running')
    await trade(world, ['UP'])
    expect(world.bot.status()).toMatchObject({
      state: 'limited',
      why: expect.stringContaining('1 trades today'),
    })
  })

  test('names losses also while it is open for another reason, once, and before a reset forgives them', async () => {
    const world = await createBotWorld({ coins: ['BTC', 'ETH', 'SOL', 'XRP'] })
    await world.bot.updateConfig({ maxConsecutiveLosses: 3, dailyLossLimitUsd: usd('1000') }, 'me')
    await world.runTo(20)
    world.probability = {}
    const [held] = world.paper.account.shares.values()
    if (held) held.sharesE6 -= 1_000_000n
    await world.runTo(270)
    expect(world.bot.status().why).not.toContain('lost in a row')
    for (const coin of ['BTC', 'ETH', 'SOL'] as const) world.resolve(coin, WORLD_START_S, 'DOWN')
    await world.run(60)
    expect(world.bot.status().why).toMatch(/the ledger has .*; 3 trades of paper lost in a row/)
    world.resolve('XRP', WORLD_START_S, 'DOWN')
    await world.run(60)
    await world.restart()
    expect(world.bot.status().breaker.consecutiveLosses).toBe(4)
    expect(await world.book.breakerRows(10)).toHaveLength(2)
  })

  test('opens after a crash between the settlement and its row', async () => {
    const world = await createBotWorld()
    await world.bot.updateConfig({ maxConsecutiveLosses: 1 }, 'me')
    world.failing.add('addBreaker')
    await trade(world, ['DOWN'])
    expect(world.bot.status().state).toBe('stopped')
    expect(await world.book.breakerRows(10)).toEqual([])
    world.failing.clear()
    await world.restart()
    expect(world.bot.status().state).toBe('stopped')
    expect(await world.book.breakerRows(10)).toHaveLength(1)
  })

  test('an opening that could not be written is written when the ledger is back', async () => {
    const world = await createBotWorld()
    await world.bot.updateConfig({ maxConsecutiveLosses: 1 }, 'me')
    world.failing.add('addBreaker')
    await trade(world, ['DOWN'])
    await expect(world.bot.resetBreaker('me')).rejects.toMatchObject({ code: 'store_unavailable' })
    world.failing.clear()
    await world.run(40)
    expect(await world.book.breakerRows(10)).toMatchObject([{ kind: 'opened' }])
  })
})

describe('the configuration', () => {
  test('is versioned, merged and checked as a whole', async () => {
    const world = await createBotWorld()
    expect(world.bot.config()).toMatchObject({ version: 0, config: { simMode: true, enabled: true } })
    await world.bot.updateConfig({ contrarian: { enabled: true } }, 'me')
    await world.bot.updateConfig({ minConfidence: 0.6 }, 'you')
    expect(world.bot.config()).toMatchObject({
      version: 2,
      by: 'you',
      config: { contrarian: { enabled: true, maxConfidence: 0.52 }, minConfidence: 0.6, sizeUsd: usd('5') },
    })
    await world.restart()
    expect(world.bot.config().version).toBe(2)
    expect((await world.bot.configHistory(10)).map(({ version, by }) => [version, by])).toEqual([
      [2, 'you'],
      [1, 'me'],
      [0, 'default'],
    ])
  })

  test.each([
    { minConfidence: 0.49 },
    { minConfidence: 1.01 },
    { minConfidence: Number.NaN },
    { contrarian: { maxConfidence: 0.4 } },
    { sizeUsd: usd('5.000001') },
    { sizeUsd: usd('0.99') },
    { maxTradesPerDay: 1_153 },
    { maxTradesPerDay: 1.5 },
    { maxConsecutiveLosses: 0 },
    { dailyLossLimitUsd: usd('1000.01') },
    { strategy: 'martingale' as never },
    { surprise: 1 } as never,
  ])('%o is refused and changes nothing', async (change) => {
    const world = await createBotWorld()
    await expect(world.bot.updateConfig(change, 'me')).rejects.toMatchObject({ code: 'bad_request' })
    expect(world.bot.config().version).toBe(0)
  })

  test('two changes at once: both are there, or one is told', async () => {
    const world = await createBotWorld()
    await Promise.all([
      world.bot.updateConfig({ minConfidence: 0.6 }, 'a'),
      world.bot.updateConfig({ maxTradesPerDay: 7 }, 'b'),
    ])
    expect(world.bot.config()).toMatchObject({
      version: 2,
      config: { minConfidence: 0.6, maxTradesPerDay: 7 },
    })
  })

  test('one that cannot be read is play money, not enabled, and opens the breaker', async () => {
    const world = await createBotWorld()
    await world.book.addConfig({ version: 1, atMs: 0, by: 'somebody', text: '{"simMode":false}' })
    await world.restart()
    expect(world.bot.status()).toMatchObject({
      state: 'stopped',
      broker: 'paper',
      config: { version: 1, config: { simMode: true, enabled: false } },
    })
    expect(world.bot.status().why).toContain('version 1 of the configuration cannot be read')
    await world.bot.updateConfig({ enabled: true }, 'me')
    await world.restart()
    expect(world.bot.status().state).toBe('stopped')
    await world.bot.resetBreaker('me')
    expect(world.bot.status().state).toBe('running')
  })

  test('live needs a broker without obstacles, and no open orders', async () => {
    const world = await createBotWorld()
    const goLive = () => world.bot.updateConfig({ simMode: false }, 'me')
    world.polymarket.obstacleList = [
      { code: 'geoblock', text: 'trading is not allowed from here' },
      { code: 'no_cash', text: 'fund the wallet' },
    ]
    await expect(goLive()).rejects.toMatchObject({
      code: 'conflict',
      message: 'live trading is not possible yet: trading is not allowed from here; fund the wallet',
    })
    world.polymarket.obstacleList = []
    world.paper.fates.push('unsent')
    world.paper.isSure = false
    await world.runTo(12)
    await expect(goLive()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('-BTC-1'),
    })
    world.paper.isSure = true
    await world.run(6)
    expect(await goLive()).toMatchObject({ version: 1, config: { simMode: false } })
    await world.run(300)
    expect((await world.book.ordersSince(0)).map(({ broker }) => broker)).toContain('polymarket')
    expect(world.bot.status()).toMatchObject({ broker: 'polymarket', today: { broker: 'polymarket' } })
  })

  test('without credentials it says what to set', async () => {
    const world = await createBotWorld({ polymarket: 'missing' })
    await expect(world.bot.updateConfig({ simMode: false }, 'me')).rejects.toMatchObject({
      code: 'conflict',
      message: 'live trading is not configured: set the owner key',
    })
  })

  test('whose credentials were taken away later blocks, says so, and can be left', async () => {
    const before = await createBotWorld()
    await before.bot.updateConfig({ simMode: false }, 'me')
    const world = await createBotWorld({ book: before.book, polymarket: 'missing' })
    await world.run(6)
    expect(world.bot.status()).toMatchObject({
      state: 'blocked',
      broker: 'polymarket',
      why: expect.stringMatching(/set the owner key; or send \{"sim_mode":true\}/),
      obstacles: [{ code: 'no_broker' }],
    })
    await world.run(300)
    expect(await world.book.ordersSince(0)).toEqual([])
    await world.bot.updateConfig({ simMode: true }, 'me')
    await world.run(6)
    expect(world.bot.status()).toMatchObject({ state: 'running', broker: 'paper', obstacles: [] })
  })
})
