import { expect, test } from 'vitest'
import { summarise } from '../../src/bot/results/summary.ts'
import { NO_TALLY } from '../../src/bot/results/tally.ts'
import { type BotWorld, createBotWorld, WORLD_START_S } from '../../src/testing/bot/bot-world.ts'

/** The record of a bot that bought UP for 5 dollars and lost them with the fee. */
const LOST = { trades: 1, wins: 0, losses: 1, profitE6: -5_171_499n }

async function loseAfter(world: BotWorld): Promise<void> {
  await world.runTo(299)
  world.resolve('BTC', WORLD_START_S, 'DOWN')
  await world.run(10)
}

function expectLoss(world: BotWorld): void {
  expect(summarise(world.settled)).toMatchObject({ all: { bot: LOST }, losingRun: { tail: 1 } })
  expect(world.bot.status().breaker.consecutiveLosses).toBe(1)
}

test('a losing position that the operator sells is still a loss of the bot', async () => {
  const world = await createBotWorld()
  await world.runTo(20)
  world.probability = {}
  world.bids = [[0.04, 1_000]]
  world.asks = [[0.06, 1_000]]
  await world.bot.sellOpenWindow('BTC', 'me')
  await loseAfter(world)
  expect(world.settled).toMatchObject([{ origin: 'mixed', roundProfitE6: LOST.profitE6 }])
  expectLoss(world)
})

test('one dollar by hand on the winning side does not clean a lost window', async () => {
  const world = await createBotWorld()
  await world.runTo(20)
  world.probability = {}
  await world.runTo(270)
  await world.bot.buy({ coin: 'BTC', outcome: 'DOWN', spendE6: 1_000_000n, clientOrderId: 'x', by: 'me' })
  await loseAfter(world)
  expectLoss(world)
  expect(world.bot.status().today.profitE6).toBe(world.settled[0]?.profitE6)
  expect(world.settled[0]?.profitE6).not.toBe(LOST.profitE6)
})

test('what a boss signal forced is a trade of the account, and neither the record nor the confidence of the bot', async () => {
  const world = await createBotWorld()
  world.asks = [[0.99, 1_000]]
  await world.bot.bossSignal({ direction: 'DOWN', coin: 'BTC', reason: undefined }, 'me')
  await world.runTo(299)
  world.asks = [[0.5, 1_000]]
  await world.run(2)
  await world.runTo(299)
  world.resolve('BTC', WORLD_START_S + 300, 'UP')
  await world.run(10)
  expect(world.settled).toMatchObject([{ direction: 'DOWN', outcome: 'UP', origin: 'boss' }])
  expect(world.settled[0]).toMatchObject({ confidence: undefined, roundProfitE6: undefined })
  expect(summarise(world.settled)).toMatchObject({ all: { trades: 1, bot: NO_TALLY.bot } })
  expect(world.bot.status().breaker.consecutiveLosses).toBe(0)
  expect(world.bot.status().today.trades).toBe(1)
})

test('a contrarian purchase is kept with our probability of the side that was bought', async () => {
  const world = await createBotWorld()
  world.probability = { BTC: 0.52 }
  world.asks = [[0.3, 1_000]]
  world.bids = [[0.28, 1_000]]
  await world.bot.updateConfig({ contrarian: { enabled: true, maxConfidence: 0.55 } }, 'me')
  await loseAfter(world)
  expect(world.settled).toMatchObject([{ direction: 'DOWN', origin: 'round', confidence: 0.48 }])
})
