import { describe, expect, test } from 'vitest'
import { titleOf } from '../../src/core/service-error.ts'
import { type BotWorld, createBotWorld, WORLD_START_S } from '../../src/testing/bot/bot-world.ts'

const purchase = {
  coin: 'BTC',
  outcome: 'UP',
  spendE6: 2_000_000n,
  clientOrderId: undefined,
  by: 'me',
} as const

/** A world in which only the operator trades. */
async function quietWorld(): Promise<BotWorld> {
  const world = await createBotWorld()
  await world.bot.updateConfig({ enabled: false }, 'me')
  await world.runTo(20)
  return world
}

describe('buying by hand', () => {
  test('a thousand calls with one client order id are one order', async () => {
    const world = await quietWorld()
    const calls = Array.from({ length: 1_000 }, () => world.bot.buy({ ...purchase, clientOrderId: 'mine' }))
    const reports = await Promise.all(calls)
    expect(reports.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1)
    expect(new Set(reports.map(({ order }) => order.orderId))).toEqual(new Set(['venue-mine']))
    expect([...world.paper.account.sent]).toEqual([['mine', 1]])
    await world.restart()
    const again = await world.bot.buy({ ...purchase, clientOrderId: 'mine' })
    expect(again).toMatchObject({
      isRepeat: true,
      order: { state: 'closed', fills: [{ state: 'confirmed' }] },
    })
    expect(world.paper.account.sent.size).toBe(1)
  })

  test('the same id with other terms is refused', async () => {
    const world = await quietWorld()
    await world.bot.buy({ ...purchase, clientOrderId: 'mine' })
    for (const other of [{ outcome: 'DOWN' }, { spendE6: 3_000_000n }] as const)
      await expect(world.bot.buy({ ...purchase, ...other, clientOrderId: 'mine' })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('the client order id mine names another order'),
      })
    const both = await Promise.allSettled([
      world.bot.buy({ ...purchase, clientOrderId: 'two' }),
      world.bot.buy({ ...purchase, clientOrderId: 'two', outcome: 'DOWN' }),
    ])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(world.paper.account.sent.size).toBe(2)
  })

  test('ids of the bot itself cannot be given', async () => {
    const world = await quietWorld()
    for (const clientOrderId of [`r-${WORLD_START_S}-BTC-1`, `h-${WORLD_START_S}-BTC-UP-1`])
      await expect(world.bot.buy({ ...purchase, clientOrderId })).rejects.toMatchObject({ code: 'conflict' })
  })

  test('two clicks within ten seconds are one order, also over the turn of the stretch', async () => {
    const world = await quietWorld()
    await world.runTo(29)
    await world.bot.buy(purchase)
    await world.run(9)
    expect(await world.bot.buy(purchase)).toMatchObject({ isRepeat: true })
    await expect(world.bot.buy({ ...purchase, spendE6: 3_000_000n })).rejects.toMatchObject({
      code: 'conflict',
      message: 'UP of BTC was ordered 9 s ago for 2 USD, and within 10 s the same side is one order',
      hint: 'send a client_order_id to buy again',
    })
    await world.run(2)
    expect(await world.bot.buy(purchase)).toMatchObject({ isRepeat: false })
    expect(world.paper.account.sent.size).toBe(2)
  })

  test('a price that nobody should pay is refused with the bounds, under a title that is true of it', async () => {
    const world = await quietWorld()
    world.asks = [[0.995, 1_000]]
    const { market } = world
    world.market = (...asked) => ({ ...market(...asked), tickSize: 0.001 })
    const refusal = await world.bot.buy({ ...purchase, clientOrderId: 'a' }).catch((error) => error)
    expect(refusal).toMatchObject({
      code: 'conflict',
      message: 'not bought (price_range): the best ask is below 1 or above 99 cents',
    })
    expect(titleOf(refusal.code)).toBe('That cannot be done as things stand')
  })

  test('the rules about money and data hold; those about our opinion do not', async () => {
    const world = await quietWorld()
    world.probability = {}
    expect((await world.bot.buy({ ...purchase, clientOrderId: 'a' })).order).toMatchObject({
      origin: 'operator',
      by: 'me',
      broker: 'paper',
      spendE6: 2_000_000n,
      priceE4: 5_100,
    })
    await world.bot.updateConfig({ maxTradesPerDay: 1 }, 'me')
    const refused = (text: string) => ({ code: 'conflict', message: expect.stringContaining(text) })
    await expect(world.bot.buy({ ...purchase, clientOrderId: 'b' })).rejects.toMatchObject(
      refused('trades_per_day'),
    )
    await world.bot.updateConfig({ maxTradesPerDay: 100 }, 'me')
    world.paper.skewMs = 1_001
    await world.run(6)
    await expect(world.bot.buy({ ...purchase, clientOrderId: 'b' })).rejects.toMatchObject(
      refused('clock_skew'),
    )
    world.paper.skewMs = 0
    world.paper.account.cashE6 = 1_500_000n
    await world.run(6)
    await expect(world.bot.buy({ ...purchase, clientOrderId: 'b' })).rejects.toMatchObject(
      refused('the balance allows'),
    )
    await world.runTo(281)
    await expect(world.bot.buy({ ...purchase, clientOrderId: 'b' })).rejects.toMatchObject(
      refused('window_time'),
    )
    for (const spendE6 of [990_000n, 5_010_000n, 1_000_001n])
      await expect(world.bot.buy({ ...purchase, spendE6 })).rejects.toMatchObject({ code: 'bad_request' })
    expect(world.paper.account.sent.size).toBe(1)
  })
})

describe('selling', () => {
  test('all of the open window at its midpoint less four cents, never more than is held', async () => {
    const world = await quietWorld()
    await world.bot.buy(purchase)
    await world.bot.buy({ ...purchase, outcome: 'DOWN' })
    const { sold, failed } = await world.bot.sellOpenWindow('BTC', 'me')
    expect(failed).toEqual([])
    expect(sold.map(({ order }) => [order.side, order.outcome, order.priceE4, order.sharesE6])).toEqual([
      ['SELL', 'UP', 4_500, 3_920_000n],
      ['SELL', 'DOWN', 4_500, 3_920_000n],
    ])
    for (const held of world.paper.account.shares.values()) expect(held.sharesE6).toBe(1_568n)
    await expect(world.bot.sellOpenWindow('BTC', 'me')).rejects.toMatchObject({ code: 'conflict' })
    expect(await world.bot.sellOpenWindow('ETH', 'me')).toEqual({ sold: [], failed: [] })
  })

  test('the second of two sales at once is refused', async () => {
    const world = await quietWorld()
    await world.bot.buy(purchase)
    const both = await Promise.allSettled([
      world.bot.sellOpenWindow('BTC', 'me'),
      world.bot.sellOpenWindow('BTC', 'me'),
    ])
    expect(both.map((each) => (each.status === 'rejected' ? each.reason.code : 'sold'))).toEqual([
      'sold',
      'conflict',
    ])
    const [held] = world.paper.account.shares.values()
    expect(held?.sharesE6).toBe(1_568n)
  })

  test('while a sale may still be under way, no other is sent', async () => {
    const world = await quietWorld()
    const { order } = await world.bot.buy(purchase)
    world.paper.fates.push('unsent')
    world.paper.isSure = false
    const close = { tokenId: order.tokenId, sharesE6: 1_000_000n, by: 'me' }
    expect((await world.bot.close(close)).order.state).toBe('open')
    await world.run(1)
    await expect(world.bot.close(close)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('still open'),
    })
  })

  test('close sells what is named, or all, for a cent at least; nothing is sold short', async () => {
    const world = await quietWorld()
    const { order } = await world.bot.buy(purchase)
    const { tokenId } = order
    const some = await world.bot.close({ tokenId, sharesE6: 1_234_567n, by: 'me' })
    expect(some.order).toMatchObject({ side: 'SELL', sharesE6: 1_230_000n, priceE4: 100 })
    await expect(world.bot.close({ tokenId, sharesE6: 3_000_000n, by: 'me' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('2.691568 shares are held'),
    })
    await world.run(1)
    expect((await world.bot.close({ tokenId, sharesE6: 0n, by: 'me' })).order.sharesE6).toBe(2_690_000n)
    await expect(world.bot.close({ tokenId: '123456789012', sharesE6: 0n, by: 'me' })).rejects.toMatchObject({
      code: 'not_found',
    })
    const [position] = await world.bot.positions()
    expect(position).toMatchObject({
      tokenId,
      sharesE6: 1_568n,
      outcome: 'UP',
      bid: 0.48,
      resolvedAs: undefined,
    })
  })

  test('after the end nothing is sold: the venue takes no orders', async () => {
    const world = await quietWorld()
    const { order } = await world.bot.buy(purchase)
    await world.runTo(301)
    await expect(world.bot.close({ tokenId: order.tokenId, sharesE6: 0n, by: 'me' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('does not take orders'),
    })
  })

  test('the breaker does not keep us in a position', async () => {
    const world = await quietWorld()
    const { order } = await world.bot.buy(purchase)
    const [held] = world.paper.account.shares.values()
    if (held) held.sharesE6 -= 1_000_000n
    await world.run(190)
    expect(world.bot.status().state).toBe('stopped')
    const { order: sale } = await world.bot.close({ tokenId: order.tokenId, sharesE6: 0n, by: 'me' })
    expect(sale.sharesE6).toBe(2_920_000n)
  })
})

describe('claiming wins', () => {
  test('shares that no order of ours bought are redeemed too, once', async () => {
    const world = await quietWorld()
    const market = world.market('ETH', WORLD_START_S - 600)
    world.resolve('ETH', WORLD_START_S - 600, 'UP', 'silently')
    const held = { conditionId: market.conditionId, sharesE6: 7_000_000n }
    world.paper.account.shares.set(market.tokens.up, { ...held })
    world.paper.account.shares.set(market.tokens.down, { ...held })
    const report = await world.bot.claimWins('me')
    expect(report).toMatchObject({ broker: 'paper', scanned: 2, claimed: [{ amountE6: 7_000_000n }] })
    expect(report.pending).toHaveLength(1)
    expect((await world.bot.claimWins('me')).claimed).toEqual([])
    expect(world.paper.account.paid).toHaveLength(1)
  })

  test('two at once: the second is told to wait', async () => {
    const world = await quietWorld()
    const both = await Promise.allSettled([world.bot.claimWins('me'), world.bot.claimWins('me')])
    expect(both.map((each) => (each.status === 'rejected' ? each.reason.code : 'done'))).toEqual([
      'done',
      'conflict',
    ])
  })
})

test('the balance is that of the broker in use', async () => {
  const world = await quietWorld()
  await world.bot.buy(purchase)
  expect(await world.bot.balance()).toEqual({
    broker: 'paper',
    cashE6: world.paper.account.cashE6,
    asOfMs: world.clock.now(),
  })
})
