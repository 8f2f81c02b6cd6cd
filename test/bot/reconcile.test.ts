import { describe, expect, test } from 'vitest'
import { createBotWorld, WORLD_START_S } from '../../src/testing/bot/bot-world.ts'

const buyUp = { coin: 'BTC', outcome: 'UP', spendE6: 2_000_000n, by: 'me' } as const

describe('before it trades', () => {
  test('the bot reconciles with the venue: nothing is ordered while it is down', async () => {
    const world = await createBotWorld()
    world.paper.isDown = true
    await world.restart()
    expect(world.bot.status()).toMatchObject({ state: 'starting', lastReconciledMs: undefined })
    await world.runTo(299)
    await expect(world.bot.buy({ ...buyUp, clientOrderId: 'a' })).rejects.toMatchObject({
      code: 'upstream_unavailable',
    })
    expect(await world.book.ordersSince(0)).toEqual([])
    expect(await world.book.decisionsOf('BTC', WORLD_START_S)).toMatchObject([{ reason: 'starting' }])
    world.paper.isDown = false
    await world.run(60)
    expect(world.bot.status().state).toBe('running')
    expect(await world.book.ordersSince(0)).toHaveLength(1)
  })

  test('an order whose answer was lost is found again after a crash, and not sent again', async () => {
    const world = await createBotWorld()
    world.paper.fates.push('lost')
    world.paper.isDown = true // from the next question on: the order itself is sent
    await world.runTo(10)
    const id = `r-${WORLD_START_S}-BTC-1`
    expect(await world.book.findOrder(id)).toMatchObject({ state: 'open', fills: [] })
    world.paper.isDown = false
    await world.restart()
    expect(await world.book.findOrder(id)).toMatchObject({ state: 'closed', fills: [{ state: 'confirmed' }] })
    await world.runTo(299)
    expect([...world.paper.account.sent]).toEqual([[id, 1]])
  })

  test('one of which the venue is not sure stays open, holds its window and is not sent again', async () => {
    const world = await createBotWorld()
    world.paper.fates.push('unsent')
    world.paper.isSure = false
    await world.runTo(60)
    await world.restart()
    await world.runTo(299)
    const id = `r-${WORLD_START_S}-BTC-1`
    expect([...world.paper.account.sent]).toEqual([[id, 1]])
    expect(world.bot.status()).toMatchObject({ openOrders: 1, today: { trades: 1, atRiskE6: 5_347_000n } })
    world.paper.isSure = true
    await world.run(61)
    expect(await world.book.findOrder(id)).toMatchObject({ state: 'closed', note: 'the venue never had it' })
  })
})

describe('after a purchase', () => {
  test('fill, outcome, settlement and redemption, to the last unit', async () => {
    const world = await createBotWorld()
    const before = world.paper.account.cashE6
    await world.runTo(299)
    world.probability = {}
    await world.run(60)
    world.resolve('BTC', WORLD_START_S, 'UP')
    await world.run(1)
    const [trade] = world.settled
    expect(trade).toMatchObject({ outcome: 'UP', direction: 'UP', origin: 'round', confidence: 0.7 })
    expect(world.paper.account.cashE6 - before).toBe(trade?.profitE6)
    expect(await world.book.redemptions('paper')).toMatchObject([
      { state: 'done', amountE6: trade?.collectedE6, transactionHash: '0xpaid' },
    ])
    expect(await world.bot.positions()).toEqual([])
  })

  test('an outcome of which nobody tells is asked for', async () => {
    const world = await createBotWorld()
    await world.runTo(299)
    world.probability = {}
    world.resolve('BTC', WORLD_START_S, 'DOWN', 'silently')
    await world.run(50)
    expect(world.settled).toEqual([])
    await world.run(60)
    expect(world.settled).toMatchObject([{ outcome: 'DOWN', collectedE6: 0n }])
    expect(await world.book.redemptions('paper')).toEqual([])
  })

  test('windows that nothing was ordered in get their outcome too', async () => {
    const world = await createBotWorld()
    world.resolve('SOL', WORLD_START_S - 300, 'DOWN')
    await world.run(1)
    expect(await world.book.findResolution('SOL', WORLD_START_S - 300)).toMatchObject({ outcome: 'DOWN' })
  })

  test('a fill that fails on the chain takes the trade back, also after the settlement', async () => {
    const world = await createBotWorld()
    world.paper.fates.push('matched')
    await world.runTo(299)
    world.probability = {}
    world.resolve('BTC', WORLD_START_S, 'DOWN')
    await world.run(300)
    expect(world.settled).toEqual([])
    await world.run(310)
    expect(world.settled).toMatchObject([{ profitE6: -5_171_499n }])
    world.paper.decideFills('failed')
    await world.restart()
    expect(world.settled.slice(1)).toMatchObject([{ profitE6: 0n, boughtSharesE6: 0n }])
    expect(world.bot.status()).toMatchObject({ today: { profitE6: 0n }, breaker: { consecutiveLosses: 0 } })
    await world.restart()
    expect(world.settled).toHaveLength(2)
  })
})

describe('redemption', () => {
  test.each([
    ['refused', 1],
    ['unknown', 1],
    ['unknown but paid', 1],
  ] as const)('%s: it is paid once', async (fate, payments) => {
    const world = await createBotWorld()
    world.paper.redeemFates.push(fate)
    await world.runTo(299)
    world.probability = {}
    world.resolve('BTC', WORLD_START_S, 'UP')
    await world.run(5)
    expect(await world.book.redemptions('paper')).toMatchObject([{ state: 'planned' }])
    await world.restart()
    await world.run(60)
    expect(world.paper.account.paid).toHaveLength(payments)
    expect(await world.book.redemptions('paper')).toMatchObject([
      { state: 'done', amountE6: world.settled[0]?.collectedE6 },
    ])
    expect((await world.bot.claimWins('me')).claimed).toEqual([])
  })

  test('shares that are gone without our doing open the breaker; claiming takes note of them', async () => {
    const world = await createBotWorld()
    await world.runTo(299)
    world.probability = {}
    world.paper.account.shares.clear()
    world.resolve('BTC', WORLD_START_S, 'UP')
    await world.run(100)
    expect(world.bot.status()).toMatchObject({ state: 'running' })
    expect(await world.bot.claimWins('me')).toMatchObject({ claimed: [], pending: [{}] })
    await world.run(300)
    expect(world.bot.status()).toMatchObject({ state: 'stopped' })
    expect(world.bot.status().why).toMatch(/the ledger has 9\.803921 shares of token \d+, the venue 0/)
    const report = await world.bot.claimWins('me')
    expect(report).toMatchObject({ scanned: 1, claimed: [{ amountE6: 0n }], pending: [] })
    await world.bot.resetBreaker('me')
    await world.restart()
    await world.run(200)
    expect(world.bot.status().state).toBe('running')
  })
})

test('a position that the venue counts otherwise opens the breaker', async () => {
  const world = await createBotWorld()
  await world.runTo(20)
  const [held] = world.paper.account.shares.values()
  if (held) held.sharesE6 -= 1n
  await world.runTo(120)
  expect(world.bot.status().breaker.isOpen).toBe(false)
  await world.runTo(250)
  expect(world.bot.status().why).toMatch(/9\.803921 shares of token \d+, the venue 9\.80392:/)
})

test('an order that the venue cannot tell of does not hold up the others', async () => {
  const world = await createBotWorld({ coins: ['BTC', 'ETH'] })
  world.paper.fates.push('lost', 'lost')
  const { find } = world.paper
  world.paper.find = async (order) => {
    if (order.coin === 'BTC') throw new Error('the venue answers nonsense')
    return find(order)
  }
  await world.runTo(30)
  const [btc, eth] = await world.book.ordersSince(0)
  expect([btc?.state, eth?.state]).toEqual(['open', 'closed'])
  world.paper.find = find
  await world.runTo(90)
  expect((await world.book.ordersSince(0)).map(({ state }) => state)).toEqual(['closed', 'closed'])
})
