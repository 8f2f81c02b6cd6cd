import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { silentLog } from '../../src/core/log.ts'
import { createManualClock } from '../../src/core/time/manual-clock.ts'
import { createMarketList } from '../../src/feeds/prediction/list/market-list.ts'
import { startInternet } from '../../src/sandbox/internet.ts'
import { createSimulatedMarket } from '../../src/sandbox/market/simulated-market.ts'
import { createPredictionVenue } from '../../src/sandbox/prediction/prediction-venue.ts'
import { createGamma } from '../../src/upstreams/polymarket/gamma/client.ts'
import { createUpstream } from '../../src/upstreams/rules/create-upstream.ts'
import { createHostGates } from '../../src/upstreams/rules/host-gate.ts'

const START_MS = Date.UTC(2026, 0, 5, 12, 1, 30)

async function start() {
  const market = createSimulatedMarket({ seed: 'list', startMs: START_MS, cadence: { bookEveryMs: 1_000 } })
  const venue = createPredictionVenue({ seed: 'list', market })
  const clock = createManualClock(START_MS)
  const internet = await startInternet({ market, clock, venue })
  const random = () => 0
  const gate = createHostGates({ clock, random }).of(internet.urls.GAMMA)
  const gamma = createUpstream({ provider: 'gamma', baseUrl: internet.urls.GAMMA, clock, random, gate })
  const list = createMarketList({ clock, random, events: createGamma(gamma), log: silentLog })
  onTestFinished(async () => {
    list.stop()
    gamma.close()
    venue.close()
    await internet.close()
  })
  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) await nextTurn()
  }
  return { clock, internet, venue, gamma, list, until }
}

test('the whole list of the simulated venue arrives through the rules, and outlives an outage', async () => {
  const { clock, internet, venue, gamma, list, until } = await start()
  list.start()
  await until(() => list.last() !== undefined)
  const markets = list.last()?.value ?? []
  const open = venue.markets().filter(({ state }) => state === 'open')
  expect(open.length).toBeGreaterThan(100)
  expect(
    open.map(({ slug }) => slug).filter((slug) => !markets.some((market) => market.slug === slug)),
  ).toEqual([])
  expect(new Set(markets.map(({ category }) => category)).size).toBeGreaterThan(3)
  expect(gamma.counters()).toMatchObject({ state: 'ok', failures: 0, malformed: 0, lastError: undefined })

  internet.outages.set('gamma', 'rest', { kind: 'html' })
  clock.advance(300_000)
  await until(() => list.missing() !== '')
  expect([list.missing(), list.last()?.asOfMs]).toEqual([
    'the venue answers in a format that we cannot read',
    START_MS,
  ])
  internet.outages.set('gamma', 'rest')
  clock.advance(list.nextMs() - clock.now())
  await until(() => list.missing() === '')
  expect(list.last()?.asOfMs).toBe(clock.now())
  expect(internet.usage().filter(({ largest, limit }) => largest > limit)).toEqual([])
})
