import { describe, expect, test } from 'vitest'
import { createBotWorld, WORLD_START_S } from '../../src/testing/bot/bot-world.ts'

const all = { limit: 100, offset: 0 }

describe('a round', () => {
  test('one order for a window and coin, at the first look that wants it', async () => {
    const world = await createBotWorld()
    await world.runTo(9)
    expect(await world.book.ordersSince(0)).toEqual([])
    await world.runTo(299)
    const orders = await world.book.ordersOf('BTC', WORLD_START_S)
    expect(orders.map(({ clientOrderId, createdMs, state }) => [clientOrderId, createdMs, state])).toEqual([
      [`r-${WORLD_START_S}-BTC-1`, (WORLD_START_S + 10) * 1000, 'closed'],
    ])
    const [decision, ...others] = await world.book.decisionsOf('BTC', WORLD_START_S)
    expect(decision).toMatchObject({ action: 'buy', reason: 'fused', attempt: 1, broker: 'paper' })
    expect(others).toEqual([])
  })

  test('a next attempt follows one that took nothing, three at most', async () => {
    const world = await createBotWorld()
    world.paper.fates.push('nothing', 'refused', 'nothing', 'taken')
    await world.runTo(299)
    const orders = await world.book.ordersOf('BTC', WORLD_START_S)
    expect(orders.map(({ clientOrderId, note }) => [clientOrderId.slice(-1), note])).toEqual([
      ['1', undefined],
      ['2', 'the venue does not want it'],
      ['3', undefined],
    ])
    expect(world.paper.fates).toEqual(['taken'])
  })

  test('no attempt follows a part that was taken, nor an order that is open', async () => {
    const world = await createBotWorld()
    world.paper.fates.push('half')
    await world.runTo(299)
    expect(await world.book.ordersOf('BTC', WORLD_START_S)).toHaveLength(1)
    await world.run(1)
    world.paper.fates.push('unsent')
    world.paper.isSure = false
    await world.runTo(299)
    const [order, ...others] = await world.book.ordersOf('BTC', WORLD_START_S + 300)
    expect([order?.state, others.length]).toEqual(['open', 0])
  })

  test('a window without a purchase has one row: the look with the best edge', async () => {
    const world = await createBotWorld()
    world.asks = [[0.8, 1_000]]
    await world.runTo(100)
    world.asks = [[0.7, 1_000]]
    await world.runTo(106)
    world.asks = [[0.9, 1_000]]
    await world.runTo(299)
    const [row, ...others] = await world.book.decisionsOf('BTC', WORLD_START_S)
    expect(others).toEqual([])
    expect(row).toMatchObject({
      action: 'none',
      reason: 'edge',
      attempt: 1,
      atMs: (WORLD_START_S + 280) * 1000,
    })
    // The row is of the end of the round; its numbers are of an earlier look, and say so.
    const seen_at = new Date((WORLD_START_S + 105) * 1000).toISOString()
    expect(JSON.parse(row?.facts ?? '{}')).toMatchObject({ seen_at, ask: 0.7, confidence: 0.7 })
    expect(await world.book.decisions(all)).toHaveLength(4)
  })

  test('a boss signal forces one window of its coin, whatever comes of its first order', async () => {
    const world = await createBotWorld()
    world.probability.BTC = 0.501
    const row = await world.bot.bossSignal({ direction: 'DOWN', coin: 'BTC', reason: 'a hunch' }, 'me')
    expect(row.windowStartS).toBe(WORLD_START_S + 300)
    await world.runTo(299)
    expect(await world.book.ordersSince(0)).toEqual([])
    world.probability.BTC = 0.7
    world.paper.fates.push('nothing', 'refused')
    await world.run(1)
    await world.runTo(12)
    const used = await world.book.findBossSignal('BTC', WORLD_START_S + 300)
    expect(used?.usedMs).toBe((WORLD_START_S + 310) * 1000)
    await world.restart()
    await world.runTo(299)
    const orders = await world.book.ordersOf('BTC', WORLD_START_S + 300)
    expect(orders.map(({ outcome, fills }) => [outcome, fills.length])).toEqual([
      ['DOWN', 0],
      ['DOWN', 0],
      ['DOWN', 1],
    ])
    expect(await world.book.decisionsOf('BTC', WORLD_START_S + 300)).toMatchObject(
      orders.map(() => ({ reason: 'boss_signal' })),
    )
    expect(await world.book.findBossSignal('BTC', WORLD_START_S + 300)).toEqual(used)
    await world.run(1)
    await world.runTo(299)
    expect(await world.book.ordersOf('BTC', WORLD_START_S + 600)).toMatchObject([{ outcome: 'UP' }])
  })

  test('where the operator has bought, the round does not', async () => {
    const world = await createBotWorld()
    world.asks = [[0.99, 1_000]]
    await world.runTo(20)
    await world.bot.buy({
      coin: 'BTC',
      outcome: 'UP',
      spendE6: 1_000_000n,
      clientOrderId: undefined,
      by: 'me',
    })
    world.asks = [[0.5, 1_000]]
    await world.runTo(299)
    expect(await world.book.ordersOf('BTC', WORLD_START_S)).toHaveLength(1)
    expect(await world.book.decisionsOf('BTC', WORLD_START_S)).toMatchObject([{ reason: 'has_order' }])
  })

  test('coins that decide at the same moment count each other', async () => {
    const world = await createBotWorld({ coins: ['BTC', 'ETH', 'SOL', 'XRP'] })
    await world.bot.updateConfig({ maxTradesPerDay: 2 }, 'me')
    await world.runTo(299)
    expect((await world.book.ordersSince(0)).map(({ coin }) => coin)).toEqual(['BTC', 'ETH'])
    expect(await world.book.decisionsOf('SOL', WORLD_START_S)).toMatchObject([{ reason: 'trades_per_day' }])
  })

  test('cash that orders under way may take is not spent twice', async () => {
    const world = await createBotWorld({ coins: ['BTC', 'ETH', 'SOL', 'XRP'] })
    world.paper.account.cashE6 = 7_000_000n
    world.paper.fates.push('unsent')
    world.paper.isSure = false
    await world.run(9)
    world.probability = { BTC: 0.999, ETH: 0.999, SOL: 0.999, XRP: 0.999 }
    await world.runTo(30)
    const spent = (await world.book.ordersSince(0)).map(({ spendE6, maxFeeE6 }) => (spendE6 ?? 0n) + maxFeeE6)
    expect(spent.length).toBeGreaterThan(1)
    expect(Number(spent.reduce((sum, each) => sum + each, 0n))).toBeLessThanOrEqual(7_000_000)
  })
})
