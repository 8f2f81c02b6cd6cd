import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { MODES } from '../../config/variables/variable.ts'
import { COINS } from '../../core/coin.ts'
import { SERVICE } from '../../core/service.ts'
import { isoTime, sampleTime, Timestamp } from '../fields.ts'
import { Check, CheckState, toCheck } from './health.ts'
import type { ServiceServices } from './services.ts'

const age = z.number().min(0).nullable()

export const status = defineEndpoint({
  id: 'service.status',
  method: 'GET',
  path: '/status',
  access: free,
  summary: 'Uptime and how fresh the data is',
  description:
    'Since when this process serves, the state of its parts, and the age of price and oracle data of every coin.',
  params: z.object({}),
  sample: {},
  response: z.object({
    status: CheckState,
    mode: z.enum(MODES),
    version: z.string().min(1),
    started_at: Timestamp,
    uptime_s: z.number().min(0),
    timestamp: Timestamp,
    data: z.array(z.object({ token: z.enum(COINS), price_age_ms: age, oracle_age_ms: age })),
    parts: z.array(Check),
  }),
  example: {
    status: 'ok',
    mode: 'sandbox',
    version: SERVICE.version,
    started_at: sampleTime,
    uptime_s: 42,
    timestamp: sampleTime,
    data: [{ token: 'BTC', price_age_ms: 120, oracle_age_ms: 1100 }],
    parts: [{ name: 'store', status: 'ok', needed: true, latency_ms: 0.08, age_ms: null, detail: 'answers' }],
  },
  handle: async ({ health, clock, about, market }: ServiceServices) => {
    const { state, checks } = await health()
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
    }
  },
})
