export type BoundedCache<Key, Value> = {
  get(key: Key): Value | undefined
  /** Makes `key` the newest entry, also where it was there before. */
  set(key: Key, value: Value): void
}

/** Holds at most `capacity` entries; the one that was set longest ago is dropped first. Reading does not renew. */
export function createBoundedCache<Key, Value>({ capacity }: { capacity: number }): BoundedCache<Key, Value> {
  if (!Number.isSafeInteger(capacity) || capacity < 1) throw new RangeError('capacity must be at least 1')
  const entries = new Map<Key, Value>()
  // Kept: a new one would skip every deleted entry again, which takes five times as long.
  let byAge: MapIterator<Key> | undefined
  let renewals = 0
  const dropOldest = () => {
    byAge ??= entries.keys()
    entries.delete(byAge.next().value as Key)
  }
  /** An iterator that nobody asks holds every table that its map has had since, one for each so many renewals. */
  const noteRenewal = () => {
    renewals++
    if (renewals < entries.size) return
    renewals = 0
    byAge = undefined
  }
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      if (entries.delete(key)) noteRenewal()
      else if (entries.size >= capacity) dropOldest()
      entries.set(key, value)
    },
  }
}
