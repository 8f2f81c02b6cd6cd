import type { RateCounters, RateLimit } from '../catalog/rate-limit.ts'
import { createBoundedCache } from '../core/bounded-cache.ts'
import type { Clock } from '../core/time/clock.ts'

/** Clients that are counted at once, over all limits; the one that has not called for longest gives way. */
export const MAX_COUNTED = 100_000

/** A clock that is set back opens no window anew; but one that was further ahead than this for a while closes none. */
export const WINDOWS_AHEAD_MAX = 2

type Counted = { windowStartS: number; calls: number }
type Options = { clock: Clock; maxCounted?: number | undefined }

/** Counts in this process. Windows begin at multiples of their length, so a day is a UTC day. */
export function createRateCounters({ clock, maxCounted = MAX_COUNTED }: Options): RateCounters {
  const counted = createBoundedCache<string, Counted>({ capacity: maxCounted })
  const read = ({ calls, windowS }: RateLimit, key: string) => {
    const nowS = clock.now() / 1000
    const known = counted.get(key)
    const startS = Math.floor(nowS / windowS) * windowS
    const keptS = known?.windowStartS ?? 0
    const windowStartS = keptS > startS + WINDOWS_AHEAD_MAX * windowS ? startS : Math.max(startS, keptS)
    const resetS = Math.max(1, Math.ceil(windowStartS + windowS - nowS))
    const used = known?.windowStartS === windowStartS ? known.calls : 0
    return { windowStartS, resetS, used, isOver: used >= calls }
  }
  return {
    take(limit, client) {
      const key = `${limit.name} ${client}`
      const { windowStartS, resetS, used, isOver } = read(limit, key)
      // Also where it is over: who keeps calling is not the one to be forgotten.
      counted.set(key, { windowStartS, calls: isOver ? used : used + 1 })
      return { isOver, remaining: isOver ? 0 : limit.calls - used - 1, windowStartS, resetS }
    },
    look(limit, client) {
      const { windowStartS, resetS, used, isOver } = read(limit, `${limit.name} ${client}`)
      return { isOver, remaining: Math.max(0, limit.calls - used), windowStartS, resetS }
    },
    giveBack({ name, windowS }, client, taken) {
      const key = `${name} ${client}`
      const known = counted.get(key)
      if (known === undefined || known.calls === 0 || taken?.isOver) return
      // What was taken in an earlier window counts no more.
      const isItsWindow = taken
        ? known.windowStartS === taken.windowStartS
        : known.windowStartS + windowS > clock.now() / 1000
      if (isItsWindow) counted.set(key, { ...known, calls: known.calls - 1 })
    },
  }
}
