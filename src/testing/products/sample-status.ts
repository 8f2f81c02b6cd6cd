import type { z } from 'zod'
import type { Status } from '../../products/service/status.ts'
import type { Uptime } from '../../products/service/uptime-fields.ts'

export const sampleUptime: z.input<typeof Uptime> = {
  from: '2026-01-04',
  to: '2026-01-05',
  measured_at: '2026-01-05T11:59:30.000Z',
  parts: [
    {
      name: 'store',
      fraction: 0.9995,
      checks: 2160,
      measured_days: 2,
      mean_latency_ms: 0.08,
      max_latency_ms: 4.2,
      day_fractions: [0.9993, 1],
      day_checks: [1440, 720],
      day_degraded: [0, 0],
    },
  ],
}

export const sampleStatus: z.output<typeof Status> = {
  status: 'ok',
  mode: 'sandbox',
  version: '2.0.0',
  started_at: '2026-01-05T12:00:00.000Z',
  uptime_s: 42,
  timestamp: '2026-01-05T12:00:00.000Z',
  data: [{ token: 'BTC', price_age_ms: 120, oracle_age_ms: 1100 }],
  parts: [{ name: 'store', status: 'ok', needed: true, latency_ms: 0.08, age_ms: null, detail: 'answers' }],
  uptime: sampleUptime,
  incidents: [
    {
      part: 'coinbase',
      began_at: '2026-01-04T08:12:30.000Z',
      ended_at: '2026-01-04T08:16:30.000Z',
      worst: 'degraded',
      planned: false,
      cause: 'trades BTC reconnecting',
    },
  ],
}
