import { expect, test } from 'vitest'
import { ServiceError } from '../../src/core/service-error.ts'
import { createBotWorld, WORLD_START_S } from '../../src/testing/bot/bot-world.ts'

const ID = `r-${WORLD_START_S}-BTC-1`

async function openAccepted() {
  const world = await createBotWorld()
  world.paper.place = async () => ({
    ...{ state: 'open', orderId: undefined, fills: [], isAccepted: true },
    reason: 'the venue says matched',
  })
  world.paper.isSure = false
  await world.runTo(30)
  world.probability = {}
  return world
}

test('that the venue took an order is in the ledger, and given to whoever looks for it', async () => {
  const world = await openAccepted()
  const acceptedMs = (await world.book.findOrder(ID))?.acceptedMs
  expect(acceptedMs).toBeGreaterThanOrEqual(WORLD_START_S * 1000)
  const asked: unknown[] = []
  const { find } = world.paper
  world.paper.find = async (order) => {
    asked.push(order.acceptedMs)
    return find(order)
  }
  await world.restart()
  expect(asked).toEqual([acceptedMs])
})

test('an order that stays open opens the breaker after an hour; a reset closes it, over restarts too', async () => {
  const world = await openAccepted()
  await world.run(3_550, 5)
  expect(world.bot.status()).toMatchObject({ state: 'running', openOrders: 1 })
  await world.run(60, 5)
  expect(world.bot.status().state).toBe('stopped')
  expect(world.bot.status().why).toMatch(`the venue took the order ${ID} an hour ago`)
  expect(world.bot.status().today.atRiskE6).toBeGreaterThan(0n)
  await world.restart()
  expect(world.bot.status()).toMatchObject({ state: 'stopped', openOrders: 1 })
  await world.bot.resetBreaker('me')
  await world.run(10)
  expect(world.bot.status()).toMatchObject({ state: 'running', openOrders: 0 })
  expect(await world.book.findOrder(ID)).toMatchObject({
    state: 'closed',
    note: expect.stringMatching('operator reset'),
  })
})

/** Taken by the venue, which then cannot be asked for an hour; the breaker is open. */
async function openLost() {
  const world = await createBotWorld()
  world.paper.fates.push('lost')
  const { find } = world.paper
  world.paper.find = async () => {
    throw new ServiceError('upstream_unavailable', 'the venue is down')
  }
  await world.runTo(30)
  world.probability = {}
  world.resolve('BTC', WORLD_START_S, 'UP')
  await world.run(3_600, 5)
  expect(world.bot.status()).toMatchObject({ state: 'stopped', openOrders: 1 })
  const comeBack = () => void Object.assign(world.paper, { find })
  return { world, comeBack }
}

test('a reset closes no order unasked: what a venue that is back tells is written, and the win redeemed', async () => {
  const { world, comeBack } = await openLost()
  comeBack()
  await world.bot.resetBreaker('me')
  await world.run(60, 5)
  const order = await world.book.findOrder(ID)
  expect(order).toMatchObject({ state: 'closed', fills: [{ state: 'confirmed' }] })
  expect(order?.note).toBeUndefined()
  expect(world.settled).toHaveLength(1)
  expect(await world.book.redemptions('paper')).toMatchObject([{ state: 'done' }])
  expect(world.bot.status()).toMatchObject({ state: 'running', openOrders: 0, notes: [] })
})

test('while the venue cannot be asked, an order stays open and at risk after a reset too', async () => {
  const { world, comeBack } = await openLost()
  await world.bot.resetBreaker('me')
  await world.run(1_800, 5)
  expect(await world.book.findOrder(ID)).toMatchObject({ state: 'open', fills: [] })
  expect(world.bot.status().openOrders).toBe(1)
  expect(world.bot.status().today.atRiskE6).toBeGreaterThan(0n)
  comeBack()
  await world.run(120, 5)
  expect(await world.book.findOrder(ID)).toMatchObject({ state: 'closed', fills: [{ state: 'confirmed' }] })
  expect(await world.book.redemptions('paper')).toMatchObject([{ state: 'done' }])
})
