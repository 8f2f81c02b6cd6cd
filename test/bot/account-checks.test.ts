import { describe, expect, test } from 'vitest'
import { createCompareHoldings } from '../../src/bot/reconcile/compare-holdings.ts'
import { createDifferences } from '../../src/bot/reconcile/differences.ts'
import { createVenueWatch } from '../../src/bot/venue-watch.ts'
import { ServiceError } from '../../src/core/service-error.ts'
import { createManualClock } from '../../src/core/time/manual-clock.ts'
import { type BotWorld, createBotWorld, WORLD_START_S } from '../../src/testing/bot/bot-world.ts'
import { sampleFill, sampleOrder } from '../../src/testing/bot/sample-order.ts'
import { createScriptedBroker } from '../../src/testing/bot/scripted-broker.ts'

/** One position, and nothing is ordered any more. */
async function holdingWorld(): Promise<BotWorld> {
  const world = await createBotWorld()
  await world.runTo(20)
  world.probability = {}
  return world
}
const noteOf = (world: BotWorld, code: string) =>
  world.bot.status().notes.find((note) => note.code === code)?.text
const takeShares = (world: BotWorld) => {
  for (const held of world.paper.account.shares.values()) held.sharesE6 -= 1_000_000n
}

describe('fewer shares than the ledger says', () => {
  test('are a reason of their own while the breaker is open for another', async () => {
    const world = await createBotWorld()
    await world.bot.updateConfig({ maxConsecutiveLosses: 1 }, 'me')
    await world.runTo(299)
    world.resolve('BTC', WORLD_START_S, 'DOWN')
    await world.run(10)
    await world.bot.resetBreaker('me')
    await world.runTo(20)
    await world.book.addBreaker({ atMs: world.clock.now(), kind: 'opened', reason: 'losses', by: 'bot' })
    await world.restart()
    takeShares(world)
    await world.runTo(290)
    expect(world.bot.status().why).toMatch(/losses; the ledger has [\d.]+ shares of token \d+, the venue/)
    expect(await world.book.breakerRows(2)).toMatchObject([
      { kind: 'opened', reason: expect.stringContaining('the ledger has') },
      { kind: 'opened', reason: 'losses' },
    ])
  })

  test('open the breaker again after a reset that did not mend them', async () => {
    const world = await holdingWorld()
    takeShares(world)
    await world.run(200)
    expect(world.bot.status().state).toBe('stopped')
    await world.bot.resetBreaker('me')
    expect(world.bot.status().state).toBe('running')
    await world.run(200)
    expect(world.bot.status().state).toBe('stopped')
  })
})

test('winning shares that are gone open the breaker again after a reset that did not mend them', async () => {
  const world = await holdingWorld()
  world.paper.account.shares.clear()
  world.resolve('BTC', WORLD_START_S, 'UP')
  await world.run(400)
  expect(world.bot.status().state).toBe('stopped')
  await world.bot.resetBreaker('me')
  await world.run(60)
  expect(world.bot.status().state).toBe('running')
  await world.run(340)
  expect(world.bot.status().state).toBe('stopped')
})

test('shares that a stranger sends stop nothing, and are noted', async () => {
  const world = await holdingWorld()
  for (const held of world.paper.account.shares.values()) held.sharesE6 += 10_000n
  await world.run(230)
  expect(world.bot.status()).toMatchObject({ state: 'running', breaker: { isOpen: false } })
  expect(noteOf(world, 'surplus_shares')).toMatch(/0\.01 of token \d+/)
  expect(world.log.lines.filter(({ code }) => code === 'surplus_shares')).toHaveLength(1)
  for (const held of world.paper.account.shares.values()) held.sharesE6 -= 10_000n
  await world.run(65)
  expect(noteOf(world, 'surplus_shares')).toBeUndefined()
})

test('tokens that no order of ours bought are noted within ten minutes', async () => {
  const world = await holdingWorld()
  await world.run(30)
  expect(noteOf(world, 'unknown_shares')).toBeUndefined()
  world.paper.account.shares.set('999', { conditionId: '0x9', sharesE6: 50_000_000n })
  await world.run(600, 5)
  expect(noteOf(world, 'unknown_shares')).toContain('50 of token 999')
  expect(world.bot.status().state).toBe('running')
})

test('one balance that cannot be read is noted, and keeps the bot neither from trading nor from starting', async () => {
  const world = await createBotWorld({ coins: ['BTC', 'ETH'] })
  await world.runTo(20)
  const bad = world.market('ETH', WORLD_START_S).tokens.up
  const { holding } = world.paper
  world.paper.holding = async (tokenId) => {
    if (tokenId === bad) throw new ServiceError('upstream_unavailable', 'malformed')
    return holding(tokenId)
  }
  await world.restart()
  await world.run(60)
  expect(world.bot.status().state).toBe('running')
  expect(noteOf(world, 'shares_not_read')).toContain(`token ${bad}`)
  world.paper.holding = holding
  await world.run(65)
  expect(noteOf(world, 'shares_not_read')).toBeUndefined()
})

describe('cash', () => {
  test('that leaves is noted, and stops nothing: the operator may withdraw', async () => {
    const world = await holdingWorld()
    await world.run(70)
    world.paper.account.cashE6 -= 700_000_000n
    await world.run(120)
    expect(noteOf(world, 'cash_left')).toBeUndefined()
    await world.run(120)
    expect(noteOf(world, 'cash_left')).toContain('700 USD left the paper account')
    expect(world.bot.status().breaker.isOpen).toBe(false)
    await world.bot.resetBreaker('me')
    expect(noteOf(world, 'cash_left')).toBeUndefined()
  })

  test.each(['by us', 'by us, before a restart', 'by the venue'])(
    'that a redemption %s paid, and the ledger has late, did not leave',
    async (how) => {
      const world = await holdingWorld()
      await world.run(70)
      const { conditionId, tokens } = world.market('BTC', WORLD_START_S)
      world.paper.hidesPayments = true
      if (how !== 'by the venue') world.paper.redeemFates.push('unknown but paid')
      world.resolve('BTC', WORLD_START_S, 'UP')
      if (how === 'by the venue') await world.paper.redeem(conditionId, [tokens.up])
      await world.run(10)
      if (how === 'by us, before a restart') await world.restart()
      await world.run(270)
      world.paper.hidesPayments = false
      await world.run(600)
      expect(await world.book.redemptions('paper')).toMatchObject([{ state: 'done' }])
      expect(noteOf(world, 'cash_left')).toBeUndefined()
      world.paper.account.cashE6 -= 1_000_000n
      await world.run(300)
      expect(noteOf(world, 'cash_left')).toContain('1 USD left')
    },
  )

  test('that comes, and what trades, fees and redemptions move, is not', async () => {
    const world = await createBotWorld({ coins: ['BTC', 'ETH'] })
    world.paper.account.cashE6 += 50_000_000n
    for (let window = 0; window < 40; window++) {
      const startS = WORLD_START_S + window * 300
      if (window === 5) world.paper.account.cashE6 += 7_000_000n
      await world.runTo(299)
      world.resolve('BTC', startS, window % 3 ? 'UP' : 'DOWN')
      world.resolve('ETH', startS, window % 2 ? 'UP' : 'DOWN')
      await world.run(1)
    }
    expect(world.settled.length).toBeGreaterThan(20)
    expect(world.paper.account.paid.length).toBeGreaterThan(5)
    expect(world.bot.status().notes).toEqual([])
    world.paper.account.cashE6 -= 20_000n
    await world.run(300)
    expect(noteOf(world, 'cash_left')).toContain('0.02 USD')
  })
})

test('a fill that is decided days after the settlement is still heard of, also after a restart', async () => {
  const world = await createBotWorld()
  world.paper.fates.push('matched')
  await world.runTo(299)
  world.probability = {}
  world.resolve('BTC', WORLD_START_S, 'UP')
  await world.run(700, 5)
  expect(world.settled).toHaveLength(1)
  await world.run(30 * 3_600, 300)
  await world.restart()
  expect(world.settled).toHaveLength(1)
  world.paper.decideFills('confirmed')
  await world.run(120, 5)
  expect(await world.book.findOrder(`r-${WORLD_START_S}-BTC-1`)).toMatchObject({
    fills: [{ state: 'confirmed' }],
  })
  expect(await world.book.redemptions('paper')).toMatchObject([{ state: 'done' }])
})

describe('where the clock was set back an hour', () => {
  const HOUR_MS = 3_600_000
  function setBackClock() {
    const manual = createManualClock(WORLD_START_S * 1000)
    let offsetMs = 0
    const setBack = () => {
      offsetMs -= HOUR_MS
    }
    return { ...manual, now: () => manual.now() + offsetMs, setBack }
  }

  test('holdings are compared all the same', async () => {
    const clock = setBackClock()
    const order = sampleOrder({ fills: [sampleFill()] })
    const broker = createScriptedBroker('paper')
    let asked = 0
    broker.holding = async () => BigInt(++asked)
    const compare = createCompareHoldings({
      clock,
      view: { unsettled: () => [[order]], findResolution: () => undefined, version: 1 },
      differences: createDifferences(),
      notes: { set() {} },
      findBroker: () => broker,
      onDifference: async () => {},
    })
    await compare()
    clock.setBack()
    for (let minute = 0; minute < 10; minute++) {
      await compare()
      clock.advance(60_000)
    }
    expect(asked).toBe(11)
  })

  test('obstacles are asked for, and what was read before is not fresh', async () => {
    const clock = setBackClock()
    const broker = createScriptedBroker('paper')
    const watch = createVenueWatch({ clock, broker })
    await watch.refresh()
    expect(watch.cash()).toBeDefined()
    clock.setBack()
    expect(watch.cash()).toBeUndefined()
    broker.obstacleList = [{ code: 'geoblocked', text: 'not from here' }]
    await watch.refresh()
    expect(watch.obstacles()).toHaveLength(1)
    expect(watch.cash()).toBeDefined()
  })
})
