/** What was going on while requests were answered, and how they ended. */
export type Phases = {
  during<T>(name: string, work: () => Promise<T>): Promise<T>
  heard(what: string): void
  /** How often each end of a request was heard, by phase. */
  counts: ReadonlyMap<string, ReadonlyMap<string, number>>
}

export const CALM = 'no fault'

export function createPhases(): Phases {
  const counts = new Map<string, Map<string, number>>()
  let phase = CALM
  return {
    counts,
    async during(name, work) {
      phase = name
      try {
        return await work()
      } finally {
        phase = CALM
      }
    },
    heard(what) {
      const ends = counts.get(phase) ?? new Map<string, number>()
      counts.set(phase, ends.set(what, (ends.get(what) ?? 0) + 1))
    },
  }
}
