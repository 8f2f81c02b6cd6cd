import { expect, test } from 'vitest'
import { ServiceError } from '../../core/service-error.ts'
import { windowAt } from '../../core/time/window.ts'
import { createBotWorld } from '../../testing/bot/bot-world.ts'
import { createPublicBot } from './public-bot.ts'

async function open() {
  const world = await createBotWorld()
  world.probability = {}
  await world.runTo(60)
  const { clock, bot, book, paper } = world
  let reads = 0
  const counted = {
    status: bot.status,
    balance: () => {
      reads++
      return bot.balance()
    },
  }
  const fresh = () => createPublicBot({ clock, bot: counted, book })
  const buy = () =>
    bot.buy({
      ...{ coin: 'BTC', outcome: 'UP', spendE6: 5_000_000n, clientOrderId: undefined, by: 'operator' },
    })
  return { world, clock, paper, fresh, buy, reads: () => reads }
}

test('the wallet is read once in a window, whoever asks', async () => {
  const { world, fresh, reads } = await open()
  const bot = fresh()
  await Promise.all([bot.wallet(), bot.wallet()])
  expect([await bot.wallet(), reads()]).toEqual([{ broker: 'paper', amountE6: 1_000_000_000n }, 1])
  await world.runTo(300)
  await bot.wallet()
  expect(reads()).toBe(2)
})

test('in the middle of an order the wallet is that of the window before, or unknown', async () => {
  const { world, paper, fresh, buy } = await open()
  const known = fresh()
  await known.wallet()
  await world.runTo(360)
  paper.fates.push('matched')
  await buy()
  expect(paper.account.cashE6).toBeLessThan(1_000_000_000n)
  expect(await known.wallet()).toEqual({ broker: 'paper', amountE6: 1_000_000_000n })
  await expect(fresh().wallet()).rejects.toThrow(ServiceError)
  paper.decideFills('confirmed')
  await world.run(10)
  expect(await fresh().wallet()).toEqual({ broker: 'paper', amountE6: 1_000_000_000n })
})

test('what was won and not redeemed counts at its worth', async () => {
  const { world, clock, paper, fresh, buy } = await open()
  await buy()
  const paidE6 = 1_000_000_000n - paper.account.cashE6
  const wonE6 = [...paper.account.shares.values()].reduce((sum, { sharesE6 }) => sum + sharesE6, 0n)
  const { startS } = windowAt(clock.now())
  await world.runTo(300)
  paper.redeemFates.push('refused', 'refused', 'refused', 'refused', 'refused', 'refused')
  world.resolve('BTC', startS, 'UP')
  await world.run(10)
  expect(await world.book.unredeemed('paper')).toHaveLength(1)
  expect((await fresh().wallet()).amountE6).toBe(1_000_000_000n - paidE6 + wonE6)
})

test('a decision is told once its window has closed, and a position until it is resolved', async () => {
  const { world, clock, fresh } = await open()
  const bot = fresh()
  expect(await bot.lastDecision()).toBeUndefined()
  world.probability = { BTC: 0.7 }
  const { startS } = windowAt(clock.now())
  await world.run(10)
  expect([await fresh().lastDecision(), await bot.countUnresolved()]).toEqual([undefined, 0])
  world.probability = {}
  await world.runTo(300)
  expect(await bot.lastDecision()).toMatchObject({ windowStartS: startS })
  expect(await bot.countUnresolved()).toBe(1)
  world.resolve('BTC', startS, 'UP')
  await world.run(10)
  expect(await bot.countUnresolved()).toBe(0)
})
