import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createManualClock, type ManualClock } from '../../core/time/manual-clock.ts'
import { DAY_MS } from '../../core/time/time.ts'
import { createMarket } from '../../market/market.ts'
import { type Served, serveGroup } from '../../testing/http/serve-groups.ts'
import { sampleDay, sampleIncident } from '../../testing/ledger/uptime/sample-uptime.ts'
import { serviceGroup } from './group.ts'
import type { HealthCheck, UptimeReport } from './services.ts'

const NOW_MS = Date.UTC(2026, 0, 5, 12)
const TODAY = NOW_MS / DAY_MS - 0.5
const disk: HealthCheck = {
  ...{ name: 'disk', state: 'ok', needed: true, latencyMs: 1, ageMs: 2, detail: 'well' },
  cause: 'is for incidents',
}

describe('/status', () => {
  let clock: ManualClock
  let served: Served
  let asked = 0
  const report: UptimeReport = {
    fromDay: TODAY - 2,
    toDay: TODAY,
    measuredMs: NOW_MS - 30_000,
    parts: [
      {
        name: 'disk',
        days: [
          sampleDay({ ok: 1438, degraded: 1, down: 1, timed: 2, totalMs: 5, maxMs: 4.123 }),
          undefined,
          sampleDay({ ok: 3, timed: 0, totalMs: 0, maxMs: 0 }),
        ],
      },
      { name: 'llm', days: [undefined, undefined, undefined] },
    ],
    incidents: [
      sampleIncident({ beganMs: NOW_MS - 5_000 }),
      sampleIncident({
        beganMs: NOW_MS - 9_000,
        endedMs: NOW_MS - 8_000,
        isPlanned: true,
        worst: 'degraded',
      }),
    ],
  }
  beforeAll(async () => {
    clock = createManualClock(NOW_MS)
    served = await serveGroup(
      serviceGroup,
      {
        clock,
        market: createMarket({ clock }),
        health: async () => {
          asked++
          return { state: 'ok', checks: [disk] }
        },
        uptime: () => report,
        about: { mode: 'sandbox', version: '2.0.0', startedAtMs: NOW_MS },
        wallets: undefined,
        signPlayPayment: undefined,
      },
      { clock },
    )
  })
  afterAll(() => served.close())
  const ask = async () => JSON.parse((await served.ask('GET', '/status')).body)

  test('has the state of each part now, and what was measured of it by day', async () => {
    expect(await ask()).toMatchObject({
      status: 'ok',
      uptime_s: 0,
      parts: [{ name: 'disk', status: 'ok', latency_ms: 1, age_ms: 2 }],
      uptime: {
        from: '2026-01-03',
        to: '2026-01-05',
        measured_at: '2026-01-05T11:59:30.000Z',
        parts: [
          {
            name: 'disk',
            fraction: 0.9993,
            checks: 1443,
            measured_days: 2,
            mean_latency_ms: 2.5,
            max_latency_ms: 4.12,
            day_fractions: [0.9993, null, 1],
            day_checks: [1440, 0, 3],
            day_degraded: [1, 0, 0],
          },
          { name: 'llm', fraction: null, checks: 0, measured_days: 0, mean_latency_ms: null },
        ],
      },
    })
  })

  test('has incidents with their times', async () => {
    const { incidents, parts } = await ask()
    expect(incidents).toEqual([
      {
        part: 'oracle',
        began_at: '2026-01-05T11:59:55.000Z',
        ended_at: null,
        worst: 'down',
        planned: false,
        cause: 'no tick',
      },
      expect.objectContaining({ ended_at: '2026-01-05T11:59:52.000Z', planned: true, worst: 'degraded' }),
    ])
    expect(JSON.stringify(parts)).not.toContain('is for incidents')
  })

  test('is made once a second, however many ask', async () => {
    clock.advance(1_000)
    asked = 0
    const all = await Promise.all(Array.from({ length: 20 }, ask))
    clock.advance(999)
    expect([(await ask()).uptime_s, all[0].uptime_s, asked]).toEqual([1, 1, 1])
    clock.advance(1)
    expect([(await ask()).uptime_s, asked]).toEqual([2, 2])
  })
})
