import { expect, test } from 'vitest'
import { usd } from '../../src/core/money.ts'
import { ServiceError } from '../../src/core/service-error.ts'
import { createBotWorld, WORLD_START_S } from '../../src/testing/bot/bot-world.ts'

const DAY_S = 86_400

test('a loss that is settled after midnight opens the breaker, though its outcome was told before', async () => {
  const world = await createBotWorld({ coins: ['BTC', 'ETH'] })
  const endS = (Math.floor(WORLD_START_S / DAY_S) + 1) * DAY_S
  world.probability = {}
  await world.bot.updateConfig({ dailyLossLimitUsd: usd('8'), maxConsecutiveLosses: 10 }, 'me')
  await world.run(endS - 300 - WORLD_START_S, 300)
  world.paper.fates.push('lost', 'lost')
  const { find } = world.paper
  world.paper.find = async () => {
    throw new ServiceError('upstream_unavailable', 'the venue is down')
  }
  world.probability = { BTC: 0.7, ETH: 0.7 }
  await world.runTo(200)
  world.probability = {}
  for (const coin of ['BTC', 'ETH'] as const) world.resolve(coin, endS - 300, 'DOWN')
  await world.run(700, 5)
  expect(world.settled).toEqual([])
  world.paper.find = find
  await world.run(300, 5)
  expect(world.settled).toHaveLength(2)
  for (const { resolvedMs } of world.settled) expect(resolvedMs).toBeLessThan(endS * 1000)
  expect(world.bot.status().why).toMatch(/paper lost 10\.\d+ USD on 2026-01-05, and the limit is 8/)
  await world.bot.resetBreaker('me')
  await world.run(60, 5)
  expect(world.bot.status().state).toBe('running')
})
