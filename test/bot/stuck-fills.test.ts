import { expect, test } from 'vitest'
import { type BotWorld, createBotWorld, WORLD_START_S } from '../../src/testing/bot/bot-world.ts'

const noteOf = (world: BotWorld, code: string) =>
  world.bot.status().notes.find((note) => note.code === code)?.text

/** A purchase that won, of which the venue never says that its fill holds. The account was looked at before it. */
async function openStuck() {
  const world = await createBotWorld()
  world.probability = {}
  await world.runTo(200)
  world.probability = { BTC: 0.7 }
  world.paper.fates.push('matched')
  await world.runTo(270)
  world.probability = {}
  const heldE6 = await world.paper.holding(world.market('BTC', WORLD_START_S).tokens.up)
  expect(heldE6).toBeGreaterThan(0n)
  return { world, heldE6, done: () => world.book.redemptions('paper') }
}

test('a win whose fill never becomes final is redeemed ten minutes after the outcome, not before', async () => {
  const { world, heldE6, done } = await openStuck()
  world.resolve('BTC', WORLD_START_S, 'UP')
  await world.run(590, 5)
  expect(await done()).toEqual([])
  await world.run(120, 5)
  expect(await done()).toMatchObject([{ state: 'done', amountE6: heldE6 }])
  expect(world.bot.status().state).toBe('running')
})

test('where the shares of it never came, nothing is written as paid and the breaker opens', async () => {
  const { world, done } = await openStuck()
  world.paper.account.shares.clear()
  world.resolve('BTC', WORLD_START_S, 'UP')
  await world.run(1_200, 5)
  expect(world.paper.account.paid).toEqual([])
  expect((await done()).filter(({ state }) => state === 'done')).toEqual([])
  expect(world.bot.status().why).toMatch(/the ledger has [\d.]+ shares of token \d+, the venue 0/)
})

test('the operator is told after an hour, over restarts too, until the venue has decided', async () => {
  const { world } = await openStuck()
  world.resolve('BTC', WORLD_START_S, 'UP')
  await world.run(3_400, 5)
  expect(noteOf(world, 'fills_unfinished')).toBeUndefined()
  await world.run(300, 5)
  expect(noteOf(world, 'fills_unfinished')).toContain(`r-${WORLD_START_S}-BTC-1 (paper)`)
  await world.run(30 * 3_600, 300)
  await world.restart()
  expect(noteOf(world, 'fills_unfinished')).toContain(`r-${WORLD_START_S}-BTC-1 (paper)`)
  world.paper.decideFills('confirmed')
  await world.run(120, 5)
  expect(noteOf(world, 'fills_unfinished')).toBeUndefined()
})

test('after an hour the balance is looked at again: the purchase is no news, and what leaves then is', async () => {
  const { world } = await openStuck()
  world.resolve('BTC', WORLD_START_S, 'UP')
  await world.run(2 * 3_600, 5)
  expect(noteOf(world, 'cash_left')).toBeUndefined()
  world.paper.account.cashE6 -= 700_000_000n
  await world.run(300, 5)
  expect(noteOf(world, 'cash_left')).toContain('700 USD left the paper account')
})
