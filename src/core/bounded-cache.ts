export type BoundedCache<Key, Value> = {
  get(key: Key): Value | undefined
  /** Makes `key` the newest entry, also where it was there before. */
  set(key: Key, value: Value): void
}

/** Holds at most `capacity` entries; the one that was set longest ago is dropped first. Reading does not renew. */
export function createBoundedCache<Key, Value>({ capacity }: { capacity: number }): BoundedCache<Key, Value> {
  if (!Number.isSafeInteger(capacity) || capacity < 1) throw new RangeError('capacity must be at least 1')
  const entries = new Map<Key, Value>()
  // One iterator for all: a new one would skip every deleted entry again, which takes five times as long.
  const byAge = entries.keys()
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      if (!entries.delete(key) && entries.size >= capacity) entries.delete(byAge.next().value as Key)
      entries.set(key, value)
    },
  }
}
