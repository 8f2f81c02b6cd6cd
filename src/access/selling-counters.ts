import type { RateCounters, RateLimit } from '../catalog/rate-limit.ts'
import { ServiceError } from '../core/service-error.ts'

/** `own`: of this process alone. */
type Counters = { shared: RateCounters; own: RateCounters }

/**
 * Counts that processes share. Where those are lost a call that needs them fails, but for what stands on the way to a
 * sale: there each process counts for itself meanwhile.
 */
export function createSellingCounters({ shared, own }: Counters): RateCounters {
  const orOwn = async <T>(limit: RateLimit, ask: (counters: RateCounters) => T | Promise<T>): Promise<T> => {
    try {
      return await ask(shared)
    } catch (error) {
      if (!limit.sells || !isLost(error)) throw error
      return ask(own)
    }
  }
  return {
    take: (limit, client) => orOwn(limit, (counters) => counters.take(limit, client)),
    look: (limit, client) => orOwn(limit, (counters) => counters.look(limit, client)),
    giveBack: (limit, client, taken) => shared.giveBack(limit, client, taken),
  }
}

const isLost = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'counters_unavailable'
