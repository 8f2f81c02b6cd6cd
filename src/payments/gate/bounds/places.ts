import { createBoundedCache } from '../../../core/bounded-cache.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { MINUTE_MS } from '../../../core/time/time.ts'
import type { PlaceLimits } from './limits.ts'

/**
 * Work under way at once for each key. Everybody begins with few places; each good piece of work adds one, and a bad one
 * takes all of those back. So a stranger's burst is small before anything is known of him, and who pays is not held up.
 */
export type Places = {
  /** Takes one and returns true; false where none is free. */
  take(key: string): boolean
  /** Takes one when it is this one's turn; false where the line is full, or the wait too long. */
  wait(key: string): Promise<boolean>
  leave(key: string): void
  grow(key: string): void
  shrink(key: string): void
  /** Whether good work was done for it lately, and nothing else since. */
  isGrown(key: string): boolean
}
export type PlacesOptions = PlaceLimits & {
  clock: Clock
  /** Places of a key that are taken by something else. */
  alsoTaken?: (key: string) => number
}

type Busy = { taken: number; waiting: Set<(hasPlace: boolean) => void> }
type Grown = { places: number; atMs: number }

/** Who has not come for so long is a stranger again. */
const GROWN_FOR_MS = 10 * MINUTE_MS
const REMEMBERED = 10_000

export function createPlaces(options: PlacesOptions): Places {
  const { clock, first, most, line, waitMs, alsoTaken = () => 0 } = options
  const busy = new Map<string, Busy>()
  const grown = createBoundedCache<string, Grown>({ capacity: REMEMBERED })
  const placesOf = (key: string) => {
    const known = grown.get(key)
    return known && clock.now() - known.atMs < GROWN_FOR_MS ? known.places : first
  }
  const hasRoom = (key: string) => (busy.get(key)?.taken ?? 0) + alsoTaken(key) < placesOf(key)
  const enter = (key: string) => {
    const own = busy.get(key) ?? { taken: 0, waiting: new Set() }
    own.taken++
    busy.set(key, own)
  }
  const take = (key: string) => {
    if ((busy.get(key)?.waiting.size ?? 0) > 0 || !hasRoom(key)) return false
    enter(key)
    return true
  }
  return {
    take,
    async wait(key) {
      if (take(key)) return true
      const own = busy.get(key)
      // Nothing is under way that could make room.
      if (!own || own.waiting.size >= line) return false
      return new Promise((resolve) => {
        const end = (hasPlace: boolean) => {
          own.waiting.delete(end)
          cancel()
          resolve(hasPlace)
        }
        const cancel = clock.after(waitMs, () => end(false))
        own.waiting.add(end)
      })
    },
    leave(key) {
      const own = busy.get(key)
      if (!own) return
      own.taken--
      for (const end of own.waiting) {
        const isFree = hasRoom(key)
        // Those under way will make room.
        if (!isFree && own.taken > 0) break
        if (isFree) enter(key)
        end(isFree)
      }
      if (own.taken === 0) busy.delete(key)
    },
    grow: (key) => grown.set(key, { places: Math.min(most, placesOf(key) + 1), atMs: clock.now() }),
    shrink(key) {
      if (grown.get(key)) grown.set(key, { places: first, atMs: clock.now() })
    },
    isGrown: (key) => placesOf(key) > first,
  }
}
