import { expect, test } from 'vitest'
import { createBotWorld, WORLD_START_S } from '../../src/testing/bot/bot-world.ts'

test('while a redemption is under way everything else goes on, and it is not begun twice', async () => {
  const world = await createBotWorld({ coins: ['BTC', 'ETH'] })
  await world.runTo(290)
  world.probability = {}
  const { redeem } = world.paper
  let begun = 0
  let release = () => {}
  world.paper.redeem = async (...given) => {
    begun++
    await new Promise<void>((resolve) => {
      release = resolve
    })
    return redeem(...given)
  }
  const { idle } = world.bot
  // Nothing is idle while the chain is asked: let all that can be done now be done.
  world.bot.idle = () => new Promise((resolve) => setImmediate(resolve))
  await world.run(10)
  world.resolve('BTC', WORLD_START_S, 'UP')
  await world.run(60)
  expect(begun).toBe(1)
  world.resolve('ETH', WORLD_START_S, 'DOWN')
  await world.run(60)
  expect(world.settled.map(({ coin }) => coin)).toEqual(['BTC', 'ETH'])
  expect(world.clock.now() - (world.bot.status().lastReconciledMs ?? 0)).toBeLessThanOrEqual(10_000)
  expect(world.bot.status()).toMatchObject({ state: 'running', notes: [] })
  expect(begun).toBe(1)
  release()
  await idle()
  expect(await world.book.redemptions('paper')).toMatchObject([{ state: 'done' }])
})

test('a redemption that fails is noted and does not keep the bot from starting', async () => {
  const world = await createBotWorld()
  await world.runTo(299)
  world.probability = {}
  const { holding } = world.paper
  world.paper.holding = async () => {
    throw new Error('the chain does not answer')
  }
  world.resolve('BTC', WORLD_START_S, 'UP')
  await world.run(5)
  expect(world.bot.status().notes).toMatchObject([
    { code: 'redemption_fails', text: expect.stringContaining('the chain does not answer') },
  ])
  await world.restart()
  expect(world.bot.status().state).toBe('running')
  world.paper.holding = holding
  await world.run(60)
  expect(world.bot.status().notes).toEqual([])
})

test('status says when the last whole reconciliation is more than a minute old', async () => {
  const world = await createBotWorld()
  world.probability = {}
  await world.run(20)
  world.paper.cashE6 = async () => {
    throw new Error('the balance cannot be read')
  }
  await world.run(60)
  expect(world.bot.status().notes).toEqual([])
  await world.run(5)
  expect(world.bot.status().notes).toEqual([
    {
      code: 'reconciling_late',
      text: 'the last whole reconciliation was 65 s ago: account: the balance cannot be read',
    },
  ])
})
