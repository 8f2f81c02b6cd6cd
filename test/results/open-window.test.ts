import { beforeEach, expect, test } from 'vitest'
import { botCheck } from '../../src/app/health/health-bot.ts'
import { createResults } from '../../src/bot/results/results.ts'
import type { Group } from '../../src/catalog/group.ts'
import type { Coin } from '../../src/core/coin.ts'
import { silentLog } from '../../src/core/log.ts'
import { windowAt } from '../../src/core/time/window.ts'
import { botGroup } from '../../src/products/bot/group.ts'
import { createLive, type Live, type LiveServices } from '../../src/products/bot/live/live.ts'
import { createPublicBot } from '../../src/products/bot/public-bot.ts'
import type { BotServices } from '../../src/products/bot/services.ts'
import { signalGroup } from '../../src/products/signals/group.ts'
import type { SignalServices } from '../../src/products/signals/services.ts'
import { type BotWorld, createBotWorld } from '../../src/testing/bot/bot-world.ts'
import { serveGroup } from '../../src/testing/http/serve-groups.ts'
import { botServices } from '../../src/testing/products/hand-made-bot.ts'
import { signalAt, signalsOf } from '../../src/testing/products/hand-made-signals.ts'

const group: Group<BotServices & LiveServices & SignalServices> = {
  tag: 'public',
  about: 'All that tells of the bot or sells its signals.',
  endpoints: [...botGroup.endpoints, ...signalGroup.endpoints],
}
const TARGETS = group.endpoints.flatMap(({ path, aliases = [] }) => [
  path,
  ...aliases.map((alias) => (typeof alias === 'string' ? alias : alias.path)),
])
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z|"(generated_at|seconds_remaining)":\d+/g

let world: BotWorld
beforeEach(async () => {
  world = await createBotWorld({ coins: ['BTC', 'ETH'] })
  // A window with a trade that is over, so that there is something to tell.
  const { startS } = windowAt(world.clock.now())
  await world.runTo(290)
  world.probability = {}
  await world.runTo(305)
  world.resolve('BTC', startS, 'UP')
  world.resolve('ETH', startS, 'DOWN')
  await world.runTo(60)
  expect(world.settled).toHaveLength(2)
})

/** What a stranger reads, from a service that has kept no reply yet. */
async function poll(): Promise<Record<string, string>> {
  const { clock, bot, book } = world
  const results = createResults({ book, clock, log: silentLog })
  await results.load()
  const services = {
    ...botServices(clock),
    signals: signalsOf((coin) => signalAt(coin, clock.now())),
    results,
    bot: createPublicBot({ clock, bot, book }),
  }
  const live = createLive({ ...services, log: silentLog })
  services.live = { ...live, listen: tellOnce(live) }
  // What it reads from the ledger is there after a few turns.
  for (let turn = 0; turn < 20; turn++) await new Promise((done) => setImmediate(done))
  const served = await serveGroup(group, services, { clock, demoCalls: 1_000 })
  const said: Record<string, string> = { health: JSON.stringify(botCheck(bot, clock.now())) }
  for (const target of TARGETS) {
    const { status, body } = await served.ask('GET', target)
    said[target] = `${status} ${body}`
  }
  live.stop()
  await served.close()
  return said
}

/** A stream that ends after its first event, which has everything. */
const tellOnce =
  ({ now }: Live): Live['listen'] =>
  ({ hear, end }) => {
    hear(now())
    end()
    return () => {}
  }

const withoutTimes = (said: Record<string, string>) =>
  Object.fromEntries(Object.entries(said).map(([target, text]) => [target, text.replace(TIME, 'time')]))
const buy = (coin: Coin) =>
  world.bot.buy({ coin, outcome: 'UP', spendE6: 5_000_000n, clientOrderId: undefined, by: 'operator' })
const filledIn = async () =>
  (await world.book.ordersSince(windowAt(world.clock.now()).startS * 1000)).filter(
    ({ fills }) => fills.length > 0,
  )

test('a purchase in the open window changes no byte of what everybody can read', async () => {
  const before = await poll()
  // No venue tells a price here.
  expect(TARGETS.filter((target) => !before[target]?.startsWith('200'))).toEqual(['/market-snapshot'])
  const { cashE6 } = world.paper.account
  await buy('ETH')
  expect(world.paper.account.cashE6).toBeLessThan(cashE6)
  expect(await poll()).toEqual(before)
})

test('nor does one that the bot decides on, but for times', async () => {
  const before = await poll()
  world.probability = { BTC: 0.7 }
  await world.run(5)
  expect((await filledIn()).map(({ origin, coin }) => [origin, coin])).toEqual([['round', 'BTC']])
  expect(world.bot.status().lastDecision).toMatchObject({ action: 'buy' })
  expect(withoutTimes(await poll())).toEqual(withoutTimes(before))
})

test('nor does a sale of what was bought', async () => {
  const before = await poll()
  await buy('BTC')
  await world.bot.sellOpenWindow('BTC', 'operator')
  expect((await filledIn()).map(({ side }) => side)).toEqual(['BUY', 'SELL'])
  expect(await poll()).toEqual(before)
})

test('nor does a purchase that reaches a limit of the day', async () => {
  await world.bot.updateConfig({ maxTradesPerDay: 3 }, 'operator')
  const before = await poll()
  await buy('ETH')
  expect(world.bot.status().state).toBe('limited')
  expect(await poll()).toEqual(before)
})

test('what has closed is told', async () => {
  const before = await poll()
  const { startS } = windowAt(world.clock.now())
  world.probability = { BTC: 0.7 }
  await world.runTo(300)
  const closed = await poll()
  expect(JSON.parse(closed['/api/scalper']?.slice(4) ?? '').now.open_positions).toBe(1)
  world.resolve('BTC', startS, 'DOWN')
  await world.run(10)
  const after = withoutTimes(await poll())
  const same = Object.keys(after).filter((target) => after[target] === withoutTimes(before)[target])
  for (const target of [
    '/api/bot-status',
    '/api/scalper/events',
    '/api/stats',
    '/performance',
    '/signals',
    '/free-trial',
  ])
    expect(same).not.toContain(target)
})
