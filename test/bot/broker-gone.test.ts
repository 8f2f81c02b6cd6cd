import { expect, test } from 'vitest'
import { createBotWorld } from '../../src/testing/bot/bot-world.ts'

test('an open order of a broker whose credentials are gone does not hold trading up on the other', async () => {
  const given: { polymarket?: 'missing' } = {}
  const world = await createBotWorld(given)
  world.probability = {}
  await world.bot.updateConfig({ enabled: false, simMode: false }, 'me')
  await world.runTo(20)
  world.polymarket.fates.push('unsent')
  world.polymarket.isSure = false
  await world.bot.buy({ coin: 'BTC', outcome: 'UP', spendE6: 2_000_000n, clientOrderId: 'real', by: 'me' })
  const goToPaper = () => world.bot.updateConfig({ simMode: true }, 'me')
  await expect(goToPaper()).rejects.toMatchObject({ code: 'conflict' })
  given.polymarket = 'missing'
  await world.restart()
  expect(await goToPaper()).toMatchObject({ config: { simMode: true } })
  expect(await world.book.findOrder('real')).toMatchObject({ state: 'open' })
})
