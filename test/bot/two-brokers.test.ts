import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../src/core/service-error.ts'
import { type BotWorld, createBotWorld, WORLD_START_S } from '../../src/testing/bot/bot-world.ts'

const purchase = {
  coin: 'BTC',
  outcome: 'UP',
  spendE6: 2_000_000n,
  clientOrderId: undefined,
  by: 'me',
} as const
const goTo = (world: BotWorld, simMode: boolean) => world.bot.updateConfig({ simMode }, 'me')

/** A position of real money, and then play money again. */
async function bothWorld(): Promise<BotWorld> {
  const world = await createBotWorld()
  await world.bot.updateConfig({ enabled: false, simMode: false }, 'me')
  await world.runTo(20)
  await world.bot.buy({ ...purchase, clientOrderId: 'real' })
  await goTo(world, true)
  await world.run(5)
  return world
}
const tokenOf = async (world: BotWorld) => (await world.bot.positions())[0]?.tokenId ?? ''

describe('positions of the broker that is not chosen', () => {
  test('are shown and can be closed', async () => {
    const world = await bothWorld()
    expect(await world.bot.positions()).toMatchObject([{ broker: 'polymarket', sharesE6: 3_921_568n }])
    const tokenId = await tokenOf(world)
    const { order } = await world.bot.close({ tokenId, sharesE6: 0n, by: 'me' })
    expect(order).toMatchObject({ broker: 'polymarket', side: 'SELL', fills: [{ sharesE6: 3_920_000n }] })
    expect(world.paper.account.sent.size).toBe(0)
  })

  test('where both hold a token, the chosen one is sold, or the one that is named', async () => {
    const world = await bothWorld()
    await world.bot.buy({ ...purchase, clientOrderId: 'play' })
    expect((await world.bot.positions()).map(({ broker }) => broker).sort()).toEqual(['paper', 'polymarket'])
    const tokenId = await tokenOf(world)
    const sell = { tokenId, sharesE6: 1_000_000n, by: 'me' }
    expect((await world.bot.close(sell)).order.broker).toBe('paper')
    expect((await world.bot.close({ ...sell, broker: 'polymarket' })).order.broker).toBe('polymarket')
    expect((await world.bot.sellOpenWindow('BTC', 'me')).sold.map(({ order }) => order.broker)).toEqual([
      'paper',
    ])
  })
})

test.each([
  ['paper', false, 'polymarket'],
  ['polymarket', true, 'paper'],
] as const)('what is meant for %s is not done with another account', async (broker, simMode, inUse) => {
  const world = await createBotWorld()
  await world.bot.updateConfig({ enabled: false, simMode }, 'me')
  await world.runTo(20)
  const refusal = { code: 'conflict', message: `not done: the account in use is ${inUse}, not ${broker}` }
  await expect(world.bot.buy({ ...purchase, broker })).rejects.toMatchObject(refusal)
  const signal = { direction: 'UP', coin: 'BTC', reason: undefined } as const
  await expect(world.bot.bossSignal({ ...signal, broker }, 'me')).rejects.toMatchObject(refusal)
  expect([world.paper.account.sent.size, await world.bot.positions()]).toEqual([0, []])
  const { order } = await world.bot.buy({ ...purchase, clientOrderId: 'meant', broker: inUse })
  expect(order.broker).toBe(inUse)
  expect(await world.bot.bossSignal({ ...signal, broker: inUse }, 'me')).toMatchObject({ coin: 'BTC' })
  // The same id is the same order, which the other account did not place.
  await expect(world.bot.buy({ ...purchase, clientOrderId: 'meant', broker })).rejects.toMatchObject(refusal)
})

test('the history of the configuration ends with what the first change was made of', async () => {
  const world = await createBotWorld()
  expect(await world.bot.configHistory(5)).toEqual([])
  await world.bot.updateConfig({ enabled: false }, 'me')
  const history = await world.bot.configHistory(5)
  expect(history.map(({ version, by, config }) => [version, by, config.enabled])).toEqual([
    [1, 'me', false],
    [0, 'default', true],
  ])
  expect(await world.bot.configHistory(1)).toHaveLength(1)
})

test('a change of a configuration that somebody has changed since is refused', async () => {
  const world = await createBotWorld()
  const { version } = world.bot.config()
  await world.bot.updateConfig({ maxTradesPerDay: 7 }, 'other', version)
  await expect(world.bot.updateConfig({ maxTradesPerDay: 9 }, 'me', version)).rejects.toMatchObject({
    code: 'conflict',
    message: `the change was made of version ${version}, and other has made version ${version + 1} since`,
  })
  expect(world.bot.config().config.maxTradesPerDay).toBe(7)
})

test('a sale that waits while trading moves to the other broker is not sent', async () => {
  const world = await bothWorld()
  await world.bot.buy({ ...purchase, clientOrderId: 'play' })
  const tokenId = await tokenOf(world)
  const { holding } = world.paper
  let answer = () => {}
  world.paper.holding = async (token) => {
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return holding(token)
  }
  const sale = world.bot.close({ tokenId, sharesE6: 0n, by: 'me' })
  const refused = expect(sale).rejects.toMatchObject({
    code: 'conflict',
    message: 'not sold: trading moved from paper to polymarket meanwhile',
  })
  await goTo(world, false)
  answer()
  await refused
  expect([...world.paper.account.sent.keys()]).toEqual(['play'])
  world.paper.holding = holding
  const named = await world.bot.close({ tokenId, sharesE6: 0n, broker: 'paper', by: 'me' })
  expect(named.order.broker).toBe('paper')
})

test('a sale of several tells which were not sold, and why', async () => {
  const world = await bothWorld()
  const { order: up } = await world.bot.buy({ ...purchase, clientOrderId: 'up' })
  const { order: down } = await world.bot.buy({ ...purchase, outcome: 'DOWN', clientOrderId: 'down' })
  const { holding } = world.paper
  world.paper.holding = async (tokenId) => {
    if (tokenId === down.tokenId) throw new Error('the venue times out')
    return holding(tokenId)
  }
  const report = await world.bot.sellOpenWindow('BTC', 'me')
  expect(report.sold.map(({ order }) => order.tokenId)).toEqual([up.tokenId])
  expect(report.failed).toEqual([
    { tokenId: down.tokenId, reason: 'the venue times out' },
    {
      tokenId: up.tokenId,
      reason: 'held on polymarket, which is not in use: POST /trade/close sells it',
    },
  ])
})

test('real shares that are gone are seen also where play money holds the same token', async () => {
  const world = await bothWorld()
  await world.bot.buy({ ...purchase, clientOrderId: 'play' })
  world.polymarket.account.shares.clear()
  await world.run(240, 5)
  expect(world.bot.status().breaker.reason).toMatch(/the ledger has [\d.]+ shares of token \d+, the venue 0/)
})

test('a win of play money that cannot be redeemed holds up neither real money nor a claim', async () => {
  const world = await createBotWorld({ coins: ['BTC', 'ETH'] })
  await world.runTo(60)
  world.probability = {}
  await world.bot.updateConfig({ enabled: false, simMode: false }, 'me')
  await world.run(10)
  await world.bot.buy({ ...purchase, clientOrderId: 'real' })
  const { redeem } = world.paper
  const { conditionId } = world.market('BTC', WORLD_START_S)
  const isBroken = { value: true }
  world.paper.redeem = async (id, tokenIds) => {
    if (isBroken.value || id === conditionId) throw new ServiceError('upstream_unavailable', 'malformed')
    return redeem(id, tokenIds)
  }
  world.resolve('BTC', WORLD_START_S, 'UP')
  world.resolve('ETH', WORLD_START_S, 'UP')
  await world.run(60)
  expect(await world.book.redemptions('polymarket')).toMatchObject([{ state: 'done' }])
  await goTo(world, true)
  isBroken.value = false
  expect(await world.bot.claimWins('me')).toMatchObject({
    claimed: [{ coin: 'ETH' }],
    pending: [{ conditionId, reason: expect.stringContaining('malformed') }],
  })
})
