import { expect, test } from 'vitest'
import type { Group } from '../../src/catalog/group.ts'
import { silentLog } from '../../src/core/log.ts'
import { createManualClock } from '../../src/core/time/manual-clock.ts'
import { pageGroup } from '../../src/pages/group.ts'
import type { PageServices } from '../../src/pages/services.ts'
import { createLive } from '../../src/products/bot/live/live.ts'
import { scalperEvents } from '../../src/products/bot/scalper-events.ts'
import { testSite } from '../../src/testing/discovery/sample-site.ts'
import { serveGroup } from '../../src/testing/http/serve-groups.ts'
import { botServices } from '../../src/testing/products/hand-made-bot.ts'
import { windowMarketAt } from '../../src/testing/products/hand-made-prediction.ts'
import { signalAt, signalsOf } from '../../src/testing/products/hand-made-signals.ts'

const NOON_MS = Date.parse('2026-01-05T12:00:00.000Z')
/** As the stream writes it, and as the page does. */
const SOLD = { probability: ['0.7317', '73.2 %'], odds: ['0.2419', '24.2 %'], imbalance: ['0.4142', '0.41,'] }

const group: Group<PageServices> = {
  tag: 'live',
  about: 'The live dashboard, as a page and as events.',
  endpoints: [scalperEvents, ...pageGroup.endpoints],
}

test('what is sold is neither in the stream nor on the page until five minutes have passed', async () => {
  const clock = createManualClock(NOON_MS)
  const made = signalAt('BTC', NOON_MS + 1_000, 0.7317)
  const signal = { ...made, indicators: { ...made.indicators, bookImbalance: 0.4142 } }
  // Sold in the first second only.
  const isNow = () => clock.now() <= NOON_MS + 1_000
  const services = { ...botServices(clock), site: testSite({}) }
  const live = createLive({
    ...services,
    signals: signalsOf(() => (isNow() ? signal : undefined)),
    fiveMinute: {
      open: (coin) =>
        isNow()
          ? windowMarketAt(coin, clock.now(), { up: { bids: [[0.2419, 9]], asks: [[0.2419, 9]] } })
          : undefined,
    },
    log: silentLog,
  })
  services.live = {
    now: live.now,
    listen: ({ hear, end }) => {
      hear(live.now())
      end()
      return () => {}
    },
  }
  const served = await serveGroup(group, services, { clock })
  const read = async () => {
    const stream = Buffer.from((await served.ask('GET', scalperEvents.path)).body, 'latin1').toString()
    const page = Buffer.from((await served.ask('GET', '/scalper')).body, 'latin1').toString()
    expect(page).toContain('</html>')
    return Object.entries(SOLD).flatMap(([name, [raw, shown]]) => [
      ...(stream.includes(raw as string) ? [`${name} in the stream`] : []),
      ...(page.includes(shown as string) ? [`${name} on the page`] : []),
    ])
  }
  clock.advance(1_000)
  const early: string[][] = [await read()]
  clock.advance(150_000)
  early.push(await read())
  clock.advance(149_000)
  early.push(await read())
  expect(early).toEqual([[], [], []])
  clock.advance(1_000)
  expect(await read()).toHaveLength(6)
  live.stop()
  await served.close()
})
