import type { PartDay } from './ports/uptime-book.ts'

/** Days by part, added up. */
export type UptimeDays = {
  /** False when there is no room for another day or part. */
  add(day: PartDay): boolean
  find(part: string, day: number): PartDay | undefined
  /** Forgets the days before. */
  forgetBefore(day: number): void
  all(): PartDay[]
  clear(): void
}

export function createUptimeDays(roomFor: number): UptimeDays {
  const days = new Map<string, PartDay>()
  const keyOf = (part: string, day: number) => `${day} ${part}`
  return {
    add(added) {
      const key = keyOf(added.part, added.day)
      const known = days.get(key)
      if (!known && days.size >= roomFor) return false
      days.set(key, known ? merge(known, added) : added)
      return true
    },
    find: (part, day) => days.get(keyOf(part, day)),
    forgetBefore(day) {
      for (const [key, each] of days) if (each.day < day) days.delete(key)
    },
    all: () => [...days.values()],
    clear: () => days.clear(),
  }
}

const merge = (a: PartDay, b: PartDay): PartDay => ({
  ...a,
  ok: a.ok + b.ok,
  degraded: a.degraded + b.degraded,
  down: a.down + b.down,
  timed: a.timed + b.timed,
  totalMs: a.totalMs + b.totalMs,
  maxMs: Math.max(a.maxMs, b.maxMs),
})
