import { describe, expect, test } from 'vitest'
import { createBotWorld, WORLD_START_S } from '../../src/testing/bot/bot-world.ts'

const FIRST = `r-${WORLD_START_S}-BTC-1`

describe('while the ledger cannot be written', () => {
  test.each(['planOrder', 'nameOrder'] as const)('nothing is sent: %s', async (write) => {
    const world = await createBotWorld()
    world.failing.add(write)
    await world.runTo(100)
    expect(world.paper.account.sent.size).toBe(0)
    const purchase = {
      coin: 'BTC',
      outcome: 'UP',
      spendE6: 1_000_000n,
      clientOrderId: 'x',
      by: 'me',
    } as const
    await world.bot.buy(purchase).catch(() => undefined)
    expect(world.paper.account.sent.size).toBe(0)
    world.failing.clear()
    await world.runTo(299)
    expect(world.paper.account.sent.size).toBe(write === 'planOrder' ? 1 : 0)
  })

  test.each(['putFills', 'closeOrder', 'findOrder'] as const)(
    'what was sent is kept and written again, and the coin waits: %s',
    async (write) => {
      const world = await createBotWorld({ coins: ['BTC', 'ETH'] })
      world.probability = { BTC: 0.7 }
      await world.runTo(9)
      const place = world.paper.place
      world.paper.place = async (order) => {
        world.failing.add(write)
        // What we know need not be asked for again.
        world.paper.isDown = true
        return place(order)
      }
      await world.runTo(60)
      expect([...world.paper.account.sent]).toEqual([[FIRST, 1]])
      world.failing.clear()
      world.paper.place = place
      await world.runTo(105)
      expect(await world.book.findOrder(FIRST)).toMatchObject({ state: 'closed', fills: [{}] })
      expect(world.bot.status()).toMatchObject({ openOrders: 0, today: { trades: 1 } })
      world.paper.isDown = false
      await world.runTo(299)
      expect([...world.paper.account.sent]).toEqual([[FIRST, 1]])
    },
  )

  test('a crash before the outcome was written: the venue is asked', async () => {
    const world = await createBotWorld()
    world.failing.add('putFills')
    await world.runTo(60)
    world.failing.clear()
    await world.restart()
    expect(await world.book.findOrder(FIRST)).toMatchObject({ state: 'closed', fills: [{}] })
    expect(world.paper.account.sent.get(FIRST)).toBe(1)
  })

  test('outcomes, settlements and redemptions wait for it', async () => {
    const world = await createBotWorld()
    await world.runTo(299)
    world.probability = {}
    for (const write of ['addResolution', 'settle', 'redeemed'] as const) {
      world.failing.add(write)
      world.resolve('BTC', WORLD_START_S, 'UP')
      await world.run(60)
      world.failing.delete(write)
    }
    await world.run(60)
    expect(world.settled).toHaveLength(1)
    expect(await world.book.redemptions('paper')).toMatchObject([{ state: 'done' }])
    expect(world.paper.account.paid).toHaveLength(1)
  })
})
