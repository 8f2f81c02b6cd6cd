import { expect, test } from 'vitest'
import { ServiceError } from '../../src/core/service-error.ts'
import { createBotWorld, WORLD_START_S } from '../../src/testing/bot/bot-world.ts'

const ID = `r-${WORLD_START_S}-BTC-1`
const down = async () => {
  throw new ServiceError('upstream_unavailable', 'the venue is down')
}

test.each(['is back', 'is still down'])(
  'a reset of the breaker asks for an overdue order while the venue %s',
  async (when) => {
    const world = await createBotWorld()
    world.paper.fates.push('lost')
    const { find } = world.paper
    world.paper.find = down
    await world.runTo(30)
    world.probability = {}
    world.resolve('BTC', WORLD_START_S, 'UP')
    await world.run(3_600, 5)
    expect(world.bot.status().why).toContain('an hour ago')
    if (when === 'is back') world.paper.find = find
    await world.bot.resetBreaker('me')
    await world.run(600, 5)
    if (when === 'is still down') expect((await world.book.findOrder(ID))?.state).toBe('open')
    world.paper.find = find
    await world.run(600, 5)
    expect(await world.book.findOrder(ID)).toMatchObject({ state: 'closed', fills: [{ state: 'confirmed' }] })
    expect(world.settled).toHaveLength(1)
    expect(await world.book.redemptions('paper')).toMatchObject([{ state: 'done' }])
  },
)

test('a fill that stays matched does not keep a win from us', async () => {
  const world = await createBotWorld()
  world.paper.fates.push('matched')
  await world.runTo(270)
  world.probability = {}
  world.resolve('BTC', WORLD_START_S, 'UP')
  await world.run(1_800, 5)
  expect(await world.book.redemptions('paper')).toMatchObject([{ state: 'done' }])
})

test('a paper win that cannot be redeemed holds up no real one', async () => {
  const world = await createBotWorld()
  await world.runTo(60)
  world.probability = {}
  await world.bot.updateConfig({ enabled: false, simMode: false }, 'me')
  await world.run(10)
  await world.bot.buy({ coin: 'BTC', outcome: 'UP', spendE6: 2_000_000n, clientOrderId: 'real', by: 'me' })
  world.paper.redeem = down
  world.resolve('BTC', WORLD_START_S, 'UP')
  await world.run(900, 5)
  expect(await world.book.redemptions('polymarket')).toMatchObject([{ state: 'done' }])
})

test('losses that come while the breaker is open for something else are told before it is reset', async () => {
  const world = await createBotWorld({ coins: ['BTC', 'ETH', 'SOL'] })
  await world.bot.updateConfig({ maxConsecutiveLosses: 3 }, 'me')
  await world.runTo(30)
  const [share] = [...world.paper.account.shares.values()]
  if (!share) throw new Error('nothing was bought')
  share.sharesE6 -= 1_000_000n
  await world.run(240)
  expect(world.bot.status().why).toContain('shares of token')
  world.probability = {}
  for (const coin of ['BTC', 'ETH', 'SOL'] as const) world.resolve(coin, WORLD_START_S, 'DOWN')
  await world.run(120)
  expect(world.bot.status().why).toContain('3 trades of paper lost in a row')
})
