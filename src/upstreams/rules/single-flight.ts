export type SingleFlight = {
  /** The result of what is under way under this key for this reader, or of `start`. */
  join<T>(key: string, reader: unknown, start: () => Promise<T>): Promise<T>
}

/** Equal requests at the same time are one. Those who read a reply differently do not share it. */
export function createSingleFlight(): SingleFlight {
  const underWay = new Map<string, { reader: unknown; result: Promise<unknown> }>()
  return {
    join<T>(key: string, reader: unknown, start: () => Promise<T>): Promise<T> {
      const same = underWay.get(key)
      if (same && same.reader === reader) return same.result as Promise<T>
      const result = start()
      const flight = { reader, result }
      underWay.set(key, flight)
      const forget = () => {
        if (underWay.get(key) === flight) underWay.delete(key)
      }
      result.then(forget, forget)
      return result
    },
  }
}
