import { describe, expect, test } from 'vitest'
import { type BotWorld, createBotWorld, WORLD_START_S } from '../../src/testing/bot/bot-world.ts'
import type { Fate } from '../../src/testing/bot/scripted-broker.ts'
import { searchSize } from '../../src/testing/search-size.ts'

/** One window from the look to the redemption; the bot dies at one call and is started again. */
async function story(fate: Fate, kill: BotWorld['kill']): Promise<{ world: BotWorld; resolvedAt: number }> {
  const world = await createBotWorld()
  world.paper.fates.push(fate)
  world.kill = kill
  const go = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 5) {
      await world.run(5, 5)
      if (!world.isDead()) continue
      world.kill = undefined
      await world.restart()
    }
  }
  await world.restart()
  await go(290)
  world.probability = {}
  world.paper.decideFills('confirmed')
  await go(30)
  const resolvedAt = world.calls
  world.resolve('BTC', WORLD_START_S, 'UP')
  await go(120)
  return { world, resolvedAt }
}

/** Every call around the order and around the outcome, and some of the passes between, in which nothing changes. */
const pointsOf = (resolvedAt: number, calls: number): readonly number[] =>
  Array.from({ length: calls }, (_, index) => index + 1).filter(
    (call) => call <= 40 || (call >= resolvedAt && call < resolvedAt + 25) || call % 60 === 0,
  )

const STEP = searchSize('bot-kill-step')
const FATES: readonly Fate[] = ['taken', 'half', 'nothing', 'refused', 'lost', 'unsent', 'matched']

describe.each(FATES)('a first order that is %s', (fate) => {
  test('a crash at any call neither doubles nor forgets it', async () => {
    const { world: whole, resolvedAt } = await story(fate, undefined)
    expect(whole.settled).toHaveLength(1)
    let deaths = 0
    // Not the same calls before and after their effect, nor for every fate: each call is met by some of them.
    for (const effect of [false, true])
      for (const [at, atCall] of pointsOf(resolvedAt, whole.calls).entries()) {
        if ((at + Number(effect) + FATES.indexOf(fate)) % STEP !== 0) continue
        const { world } = await story(fate, { atCall, effect })
        if (world.kill === undefined) deaths++
        await expectWhole(world, `${fate}, call ${atCall}, ${effect ? 'after' : 'before'} its effect`)
      }
    expect(deaths).toBeGreaterThan(90 / STEP)
  })
})

async function expectWhole(world: BotWorld, where: string): Promise<void> {
  const orders = await world.book.ordersSince(0)
  for (const [id, times] of world.paper.account.sent) expect([id, times], where).toEqual([id, 1])
  expect(orders.filter(({ state }) => state === 'open').length, where).toBe(0)
  expect(orders.filter(({ fills }) => fills.length > 0).length, where).toBeLessThanOrEqual(1)
  for (const order of orders)
    expect(order.fills, where).toEqual(world.paper.account.orders.get(order.clientOrderId) ?? [])
  const trades = await world.book.trades({}, { limit: 10, offset: 0 })
  const profit = trades.reduce((sum, { profitE6 }) => sum + profitE6, 0n)
  expect(world.paper.account.cashE6 - 1_000_000_000n, where).toBe(profit)
  expect(world.paper.account.paid.length, where).toBe(trades.length)
  expect(await world.book.unredeemed('paper'), where).toEqual([])
  expect(await world.book.decisionsOf('BTC', WORLD_START_S), where).not.toEqual([])
  expect(world.bot.status().breaker.isOpen, where).toBe(false)
}
