import { atMostEvery } from '../../core/time/at-most-every.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Leadership } from '../../ledger/postgres/leader/leadership.ts'
import type { HealthCheck } from '../../products/service/services.ts'
import { ASK_EVERY_MS } from './store.ts'

export const createRedisCheck = (ping: () => Promise<void>, clock: Clock): (() => Promise<HealthCheck>) =>
  atMostEvery(clock, ASK_EVERY_MS, () => askRedis(ping))

/** Without it free calls end, and apis hear of no market; a process that does everything sells on. */
async function askRedis(ping: () => Promise<void>): Promise<HealthCheck> {
  const startedMs = performance.now()
  const check = { name: 'redis', needed: false, ageMs: null }
  try {
    await ping()
    return { ...check, state: 'ok', latencyMs: performance.now() - startedMs, detail: 'answers' }
  } catch {
    const detail =
      'does not answer, or takes nothing: free calls are refused, and an api sells nothing of the market'
    return { ...check, state: 'down', latencyMs: null, detail }
  }
}

/** Without it nothing of the market is sold, and what was bought before is still handed out. */
export function engineCheck(missing: () => string | undefined): HealthCheck {
  const why = missing()
  return {
    ...{ name: 'engine', needed: false, latencyMs: null, ageMs: null },
    ...(why === undefined ? { state: 'ok', detail: 'is heard' } : { state: 'down', detail: why }),
  }
}

/** A leader who is not sure that he leads trades and records nothing until he is. */
export function leaderCheck({ term }: Pick<Leadership, 'term'>): HealthCheck {
  const own = term()
  return {
    ...{ name: 'leader', needed: false, latencyMs: null, ageMs: null },
    ...(own === undefined
      ? { state: 'degraded', detail: 'this process does not lead now: it trades and records nothing' }
      : { state: 'ok', detail: `this process leads, term ${own}` }),
  }
}
