import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { usd } from '../../src/core/money.ts'
import { openSqliteStore } from '../../src/ledger/sqlite/store.ts'
import { createBotWorld, WORLD_START_S } from '../../src/testing/bot/bot-world.ts'
import { temporaryDir } from '../../src/testing/ledger/temporary-dir.ts'

test('the bot on the ledger that it runs on: an hour, with restarts, to the last unit', async () => {
  const store = openSqliteStore(join(temporaryDir(), 'ledger.sqlite'))
  onTestFinished(() => store.close())
  const world = await createBotWorld({ coins: ['BTC', 'ETH'], book: store.bot })
  await world.bot.bossSignal({ direction: 'DOWN', coin: 'ETH', reason: undefined }, 'me')
  await world.bot.updateConfig({ dailyLossLimitUsd: usd('1000') }, 'me')
  world.paper.fates.push('lost', 'half', 'nothing', 'unsent', 'matched')
  for (let index = 0; index < 12; index++) {
    await world.run(295, 5)
    world.paper.decideFills('confirmed')
    world.resolve('BTC', WORLD_START_S + 300 * index, index % 3 ? 'UP' : 'DOWN')
    world.resolve('ETH', WORLD_START_S + 300 * index, index % 2 ? 'UP' : 'DOWN')
    await world.run(5, 5)
    if (index % 4 === 1) await world.restart()
  }
  world.probability = {}
  await world.run(60, 5)
  const trades = await world.book.trades({ broker: 'paper' }, { limit: 100, offset: 0 })
  expect(trades).toHaveLength(24)
  const profit = trades.reduce((sum, { profitE6 }) => sum + profitE6, 0n)
  expect(world.paper.account.cashE6 - 1_000_000_000n).toBe(profit)
  expect(await world.book.unsettledOrders()).toEqual([])
  expect(await world.book.unredeemed('paper')).toEqual([])
  expect(world.bot.status().breaker.isOpen).toBe(false)
})
