import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mapUpstreams } from '../config/providers.ts'
import { createManualClock } from '../core/time/manual-clock.ts'
import { startLoopbackServer } from '../sandbox/loopback-server.ts'
import { createKeptLog } from '../testing/kept-log.ts'
import { predictionCheck } from './health/health-prediction.ts'
import { openPrediction } from './prediction.ts'

const NOW_MS = Date.UTC(2026, 0, 5, 12, 1)
/** Far more than a refusal on this machine takes. */
const TURNS = 200

test('a venue that is down does not keep the service from starting, and what is missing is said', async () => {
  await using down = await refusedAddress()
  const clock = createManualClock(NOW_MS)
  const upstreams = mapUpstreams(({ url }) => `${url?.startsWith('wss:') ? 'ws' : 'http'}://${down.host}`)
  const log = createKeptLog()
  const wallet = `0x${'a'.repeat(40)}`
  const venue = openPrediction({
    upstreams,
    wallet,
    clock,
    log,
    random: () => 0.5,
  })
  for (let seconds = 0; seconds < 30; seconds++) {
    clock.advance(1_000)
    for (let turns = 0; turns < TURNS; turns++) await nextTurn()
  }
  const { fiveMinute, list, account } = venue.services
  expect(fiveMinute.open('BTC')).toBeUndefined()
  expect(fiveMinute.missing('BTC')).toBe(
    'the market list of the venue could not be read (down: ECONNREFUSED)',
  )
  expect(list.last()).toBeUndefined()
  expect(account).toBeDefined()
  const [gamma, clob, data] = venue.counters()
  expect([gamma?.provider, clob?.provider, data?.provider]).toEqual(['gamma', 'clob', 'poly_data'])
  expect(gamma?.failures).toBeGreaterThan(0)
  // Books of unknown markets are not read.
  expect([clob?.requests, data?.requests]).toEqual([0, expect.any(Number)])
  expect([data?.requests === 0, account?.positions()]).toEqual([false, undefined])
  const cause = expect.stringContaining('ECONNREFUSED')
  const line = { level: 'warn', text: 'a venue is down', channel: 'rest', host: down.host, cause }
  expect(log.lines.filter(({ text }) => text === 'a venue is down')).toEqual([
    { ...line, provider: 'gamma' },
    { ...line, provider: 'poly_data' },
  ])
  expect(predictionCheck(venue.fiveMinute)).toMatchObject({ state: 'down', needed: false })
  venue.stop()
  const sent = [gamma?.requests, data?.requests]
  clock.advance(600_000)
  for (let turns = 0; turns < TURNS; turns++) await nextTurn()
  const [gammaLater, , dataLater] = venue.counters()
  expect([gammaLater?.requests, dataLater?.requests]).toEqual(sent)
})

/** A port that was free a moment ago. */
async function refusedAddress() {
  const server = await startLoopbackServer({ answer: () => undefined })
  await server.refuse(true)
  return { host: server.host, [Symbol.asyncDispose]: async () => {} }
}
