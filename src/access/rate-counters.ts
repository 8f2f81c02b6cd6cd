import type { RateCounters } from '../catalog/rate-limit.ts'
import { createBoundedCache } from '../core/bounded-cache.ts'
import type { Clock } from '../core/clock.ts'

/** Clients that are counted at once, over all limits; the one that has not called for longest gives way. */
const MAX_COUNTED = 100_000

type Counted = { windowStartS: number; calls: number }

/** Counts in this process. Windows begin at multiples of their length, so a day is a UTC day. */
export function createRateCounters({ clock }: { clock: Clock }): RateCounters {
  const counted = createBoundedCache<string, Counted>({ capacity: MAX_COUNTED })
  return {
    take({ name, calls, windowS }, client) {
      const nowS = clock.now() / 1000
      const windowStartS = Math.floor(nowS / windowS) * windowS
      const resetS = Math.max(1, Math.ceil(windowStartS + windowS - nowS))
      const key = `${name} ${client}`
      const known = counted.get(key)
      const used = known?.windowStartS === windowStartS ? known.calls : 0
      if (used >= calls) return { isOver: true, remaining: 0, resetS }
      counted.set(key, { windowStartS, calls: used + 1 })
      return { isOver: false, remaining: calls - used - 1, resetS }
    },
  }
}
