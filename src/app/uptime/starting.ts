import type { HealthCheck } from '../../products/service/services.ts'
import { STARTING_MAX_MS } from '../../products/service/services.ts'

/**
 * The parts that have not been well since the process started, while it is young: feeds take their time to warm up, and
 * nobody knows yet whether they work.
 */
export function createStarting(): (checks: readonly HealthCheck[], ageMs: number) => ReadonlySet<string> {
  const seenWell = new Set<string>()
  return (checks, ageMs) => {
    for (const { name, state } of checks) if (state === 'ok') seenWell.add(name)
    if (ageMs >= STARTING_MAX_MS) return new Set()
    return new Set(checks.map(({ name }) => name).filter((name) => !seenWell.has(name)))
  }
}
