import { expect, test } from 'vitest'
import { createBotWorld, WORLD_START_S } from '../../src/testing/bot/bot-world.ts'

/** A purchase of the round, half a minute before the end of its window. */
async function openBought() {
  const world = await createBotWorld()
  await world.runTo(270)
  world.probability = {}
  const { conditionId, tokens } = world.market('BTC', WORLD_START_S)
  const heldE6 = await world.paper.holding(tokens.up)
  expect(heldE6).toBeGreaterThan(0n)
  return { world, conditionId, tokens, heldE6, done: () => world.book.redemptions('paper') }
}

test('a balance that reads 0 once writes no win off, also after a refused redemption', async () => {
  const { world, heldE6, done } = await openBought()
  world.paper.redeemFates.push('refused')
  world.resolve('BTC', WORLD_START_S, 'UP')
  await world.run(5)
  const { holding } = world.paper
  let zeros = 1
  world.paper.holding = async (tokenId) => (zeros-- > 0 ? 0n : holding(tokenId))
  await world.run(70)
  expect(world.paper.account.paid).toMatchObject([{ amountE6: heldE6 }])
  expect(await done()).toMatchObject([{ state: 'done', amountE6: heldE6 }])
  expect(world.bot.status().state).toBe('running')
})

test('claiming while the balance reads 0 writes nothing, and what is there later is paid', async () => {
  const { world, heldE6, done } = await openBought()
  const { holding } = world.paper
  world.paper.holding = async () => 0n
  world.resolve('BTC', WORLD_START_S, 'UP')
  await world.run(5)
  expect(await world.bot.claimWins('me')).toMatchObject({ claimed: [], pending: [{}] })
  expect(await done()).toEqual([])
  world.paper.holding = holding
  await world.run(60)
  expect(await done()).toMatchObject([{ state: 'done', amountE6: heldE6 }])
})

test('shares that were written off are redeemed by a claim once they are there, and the ledger says so', async () => {
  const { world, conditionId, heldE6, done } = await openBought()
  const { holding, holdings } = world.paper
  world.paper.holding = async () => 0n
  world.paper.holdings = async () => []
  world.resolve('BTC', WORLD_START_S, 'UP')
  await world.run(400)
  expect(await world.bot.claimWins('me')).toMatchObject({ claimed: [{ amountE6: 0n }] })
  Object.assign(world.paper, { holding, holdings })
  expect(await world.bot.claimWins('me')).toMatchObject({ claimed: [{ conditionId, amountE6: heldE6 }] })
  expect(await done()).toMatchObject([{ state: 'done', amountE6: heldE6 }])
  expect(await world.bot.claimWins('me')).toMatchObject({ claimed: [], pending: [] })
  expect(world.paper.account.paid).toHaveLength(1)
})

test('what the venue or the operator redeemed is found in its records, and the breaker stays shut', async () => {
  const { world, conditionId, tokens, heldE6, done } = await openBought()
  world.paper.winners.add(tokens.up)
  world.paper.hidesPayments = true
  await world.paper.redeem(conditionId, [tokens.up])
  world.resolve('BTC', WORLD_START_S, 'UP')
  await world.run(200)
  expect(await done()).toEqual([])
  world.paper.hidesPayments = false
  await world.run(400)
  expect(await done()).toMatchObject([{ state: 'done', amountE6: heldE6, transactionHash: '0xpaid' }])
  expect(world.bot.status().state).toBe('running')
  expect(world.paper.account.paid).toHaveLength(1)
})

test('a redemption without an answer is done once the records say so, not before', async () => {
  const { world, heldE6, done } = await openBought()
  world.paper.redeemFates.push('unknown but paid')
  world.paper.hidesPayments = true
  world.resolve('BTC', WORLD_START_S, 'UP')
  await world.run(120)
  expect(await done()).toMatchObject([{ state: 'planned' }])
  world.paper.hidesPayments = false
  await world.restart()
  await world.run(40)
  expect(await done()).toMatchObject([{ state: 'done', amountE6: heldE6 }])
})

test('a window that pays both sides alike is settled at half a dollar a share, and redeemed on both sides', async () => {
  const { world, tokens, heldE6, done } = await openBought()
  await world.bot.buy({
    ...{ coin: 'BTC', outcome: 'DOWN', spendE6: 2_000_000n, clientOrderId: 'x', by: 'me' },
  })
  const downE6 = await world.paper.holding(tokens.down)
  const beforeE6 = world.paper.account.cashE6
  world.resolve('BTC', WORLD_START_S, 'SPLIT')
  await world.run(200)
  const paidE6 = heldE6 / 2n + downE6 / 2n
  expect(downE6).toBeGreaterThan(0n)
  expect(world.settled).toMatchObject([{ outcome: 'UP', collectedE6: paidE6 }])
  expect(await done()).toMatchObject([{ state: 'done', amountE6: paidE6 }])
  expect(world.paper.account.cashE6).toBe(beforeE6 + paidE6)
  expect(await world.bot.positions()).toEqual([])
})

test('shares of a window that nobody told to be UP, redeemed by hand, are learnt by a claim', async () => {
  const { world, conditionId, tokens, heldE6, done } = await openBought()
  world.paper.winners.add(tokens.up)
  await world.paper.redeem(conditionId, [tokens.up])
  await world.run(60)
  expect(await world.bot.claimWins('me')).toMatchObject({ pending: [{ conditionId }] })
  await world.run(60)
  expect(world.settled).toMatchObject([{ collectedE6: heldE6 }])
  expect(await done()).toMatchObject([{ state: 'done', amountE6: heldE6 }])
  await world.restart()
  await world.run(600, 5)
  expect(world.bot.status().state).toBe('running')
})

test('without a claim they are learnt too, before the breaker opens', async () => {
  const { world, conditionId, tokens, heldE6 } = await openBought()
  world.paper.winners.add(tokens.up)
  await world.paper.redeem(conditionId, [tokens.up])
  await world.run(600)
  expect(world.settled).toMatchObject([{ collectedE6: heldE6 }])
  expect(await world.book.breakerRows(1)).toEqual([])
})

test('half of what was due is learnt as no split: the venue has to say so', async () => {
  const { world, conditionId, tokens, heldE6 } = await openBought()
  const held = world.paper.account.shares.get(tokens.up)
  if (held) held.sharesE6 = heldE6 / 2n
  world.paper.winners.add(tokens.up)
  await world.paper.redeem(conditionId, [tokens.up])
  await world.run(120)
  expect(await world.book.findResolution('BTC', WORLD_START_S)).toBeUndefined()
  world.resolve('BTC', WORLD_START_S, 'UP')
  await world.run(60)
  expect(await world.book.findResolution('BTC', WORLD_START_S)).toMatchObject({ payoutUpE6: 1_000_000n })
})
