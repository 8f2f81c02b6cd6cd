import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { MODES } from '../../config/variables/variable.ts'
import { COINS } from '../../core/coin.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { isoTime, Timestamp } from '../fields.ts'
import { Check, CheckState, toCheck, Version } from './health.ts'
import type { ServiceServices } from './services.ts'
import { Incidents, toIncident, toUptime, Uptime } from './uptime-fields.ts'

const age = z.number().min(0).nullable()

export const Status = z.object({
  status: CheckState,
  mode: z.enum(MODES),
  version: Version,
  started_at: Timestamp,
  uptime_s: z.number().min(0),
  timestamp: Timestamp,
  data: z
    .array(z.object({ token: z.enum(COINS), price_age_ms: age, oracle_age_ms: age }))
    .min(1)
    .max(COINS.length),
  parts: z.array(Check).min(1),
  uptime: Uptime.describe('What was measured once a minute, by UTC day'),
  incidents: Incidents,
})

export const status = defineEndpoint({
  id: 'service.status',
  method: 'GET',
  path: '/status',
  access: free,
  summary: 'Uptime of 90 days, incidents, and how fresh the data is',
  description:
    'Since when this process serves, the state, latency and data age of its parts, what the service measured of itself and of each part once a minute over the last 90 days, incidents, and the age of price and oracle data of every coin. Made anew at most once a second.',
  params: z.object({}),
  sample: {},
  response: Status,
  changes: ({ clock }: ServiceServices) => Math.floor(clock.now() / SECOND_MS),
  handle: async ({ health, uptime, clock, about, market }: ServiceServices) => {
    const { state, checks } = await health()
    const measured = uptime()
    const nowMs = clock.now()
    const ageOf = (atMs: number | undefined) =>
      atMs === undefined ? null : Math.max(0, Math.round(nowMs - atMs))
    return {
      status: state,
      mode: about.mode,
      version: about.version,
      started_at: isoTime(about.startedAtMs),
      uptime_s: Math.floor((nowMs - about.startedAtMs) / 1000),
      timestamp: isoTime(nowMs),
      data: COINS.map((coin) => ({
        token: coin,
        price_age_ms: ageOf(market.price(coin)?.asOfMs),
        oracle_age_ms: ageOf(market.oracle(coin).last.twap_60s?.atMs),
      })),
      parts: checks.map(toCheck),
      uptime: toUptime(measured),
      incidents: measured.incidents.map(toIncident),
    }
  },
})
