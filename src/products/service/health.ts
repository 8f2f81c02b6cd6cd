import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { MODES } from '../../config/variables/variable.ts'
import { isoTime, Timestamp } from '../fields.ts'
import type { HealthCheck, ServiceServices } from './services.ts'

export const CheckState = z.enum(['ok', 'degraded', 'down'])

export const Version = z
  .string()
  .min(1)
  .regex(/^\d+\.\d+\.\d+/)

export const Check = z.object({
  name: z.string().min(1),
  status: z
    .enum([...CheckState.options, 'idle'])
    .describe('idle: not asked yet, or not since it failed, so nobody knows'),
  needed: z.boolean().describe('Without it the service cannot sell'),
  latency_ms: z.number().min(0).nullable(),
  age_ms: z.number().min(0).nullable().describe('Age of its newest data'),
  detail: z.string(),
})

export function toCheck({
  name,
  state,
  needed,
  latencyMs,
  ageMs,
  detail,
}: HealthCheck): z.input<typeof Check> {
  return { name, status: state, needed, latency_ms: roundedMs(latencyMs), age_ms: roundedMs(ageMs), detail }
}

const roundedMs = (ms: number | null) => (ms === null ? null : Math.max(0, Math.round(ms * 100) / 100))

export const health = defineEndpoint({
  id: 'service.health',
  method: 'GET',
  path: '/health',
  access: free,
  summary: 'Deep health check of every dependency',
  description:
    'Tells the state, latency and data age of each dependency: most are asked now, disk and chain nodes every few seconds; of a chain the data age is that of its newest block. Answers 503 when something the service needs is down.',
  params: z.object({}),
  sample: {},
  response: z.object({
    status: CheckState,
    mode: z.enum(MODES),
    version: Version,
    timestamp: Timestamp,
    checks: z.array(Check).min(1),
  }),
  isOutage: ({ status }) => status === 'down',
  handle: async ({ health, clock, about }: ServiceServices) => {
    const { state, checks } = await health()
    return {
      status: state,
      mode: about.mode,
      version: about.version,
      timestamp: isoTime(clock.now()),
      checks: checks.map(toCheck),
    }
  },
})
