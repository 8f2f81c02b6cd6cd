import { type BoundedCache, createBoundedCache } from './bounded-cache.ts'

/**
 * For what callers name. Holds at most `capacity` entries, half of them for those that were read again: a flood of
 * names that nobody asks for twice pushes out its own kind, not what everybody asks for.
 */
export function createRepeatCache<Key, Value extends object>({
  capacity,
}: {
  capacity: number
}): BoundedCache<Key, Value> {
  const half = Math.floor(capacity / 2)
  const once = createBoundedCache<Key, Value>({ capacity: half })
  const again = createBoundedCache<Key, Value>({ capacity: half })
  return {
    get(key) {
      const known = again.get(key)
      if (known) return known
      const first = once.get(key)
      if (first) again.set(key, first)
      return first
    },
    set(key, value) {
      if (again.get(key)) again.set(key, value)
      else once.set(key, value)
    },
  }
}
