import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { DAY_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { HealthCheck } from '../../products/service/services.ts'
import { createKeptLog } from '../../testing/kept-log.ts'
import { createMemoryUptime, createMemoryUptimeBook } from '../../testing/ledger/uptime/memory-uptime-book.ts'
import { createUptimeKeeper } from './uptime-keeper.ts'
import { createUptimeReader } from './uptime-reader.ts'

const NOON_MS = 20_000 * DAY_MS + DAY_MS / 2
const settled = () => new Promise<void>((resume) => setImmediate(resume))

test('a process that measures nothing shows what another one measured, a minute later at most', async () => {
  const clock = createManualClock(NOON_MS)
  const log = createKeptLog()
  const book = createMemoryUptimeBook(createMemoryUptime())
  let state: HealthCheck['state'] = 'ok'
  const check = () => ({ name: 'oracle', needed: true, state, latencyMs: 3, ageMs: null, detail: 'silent' })
  const health = async () => ({ state: 'ok' as const, checks: [check()] })
  const keeper = createUptimeKeeper({ clock, log, book, health })
  const reader = createUptimeReader({ clock, log, book })
  expect(reader.report()).toMatchObject({ parts: [], incidents: [], measuredMs: undefined })
  await reader.start()
  await keeper.start()
  for (const next of ['ok', 'down', 'down', 'down', 'ok'] as const) {
    state = next
    clock.advance(MINUTE_MS)
    await settled()
    await settled()
  }
  await keeper.stop()
  clock.advance(MINUTE_MS)
  await settled()
  const shown = reader.report()
  expect(shown.parts.map(({ name }) => name)).toEqual(['service', 'oracle'])
  expect(shown.parts).toEqual(keeper.report().parts)
  expect(shown.incidents).toEqual(keeper.report().incidents)
  expect(shown.incidents.length).toBeGreaterThan(0)
  expect(log.lines).toEqual([])
  await reader.stop()
})

test('what cannot be read now stays as it was, and is said', async () => {
  const clock = createManualClock(NOON_MS)
  const log = createKeptLog()
  const load = async () => {
    throw new Error('no connection')
  }
  const reader = createUptimeReader({ clock, log, book: { load } })
  await reader.start()
  expect(reader.report().parts).toEqual([])
  expect(log.lines).toMatchObject([{ level: 'warn', cause: 'no connection', text: 'uptime cannot be read' }])
  await reader.stop()
})
