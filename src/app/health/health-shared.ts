import type { Leadership } from '../../ledger/postgres/leader/leadership.ts'
import type { HealthCheck } from '../../products/service/services.ts'

/** Without it free calls end and what is sold goes on. */
export async function redisCheck(ping: () => Promise<void>): Promise<HealthCheck> {
  const startedMs = performance.now()
  const check = { name: 'redis', needed: false, ageMs: null }
  try {
    await ping()
    return { ...check, state: 'ok', latencyMs: performance.now() - startedMs, detail: 'answers' }
  } catch {
    const detail = 'does not answer: free calls are refused, paid ones go on'
    return { ...check, state: 'down', latencyMs: null, detail }
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
