import type { Clock } from '../../core/time/clock.ts'
import { createLater, type Later } from '../later.ts'

/** Distinct keys whose use waits to be written. Far more than anybody has; uses of others are not noted. */
const WAITING_MAX = 1_000

export type KeyUse = readonly [id: string, atMs: number]
export type KeyUses = { note(id: string, atMs: number): void; later: Later }

/** The last use of each key, noted at once and written soon. */
export function createKeyUses(clock: Clock, write: (uses: readonly KeyUse[]) => Promise<unknown>): KeyUses {
  let uses = new Map<string, number>()
  const add = (id: string, atMs: number) => {
    if (uses.has(id) || uses.size < WAITING_MAX) uses.set(id, Math.max(uses.get(id) ?? atMs, atMs))
  }
  const later = createLater(clock, async () => {
    const taken = [...uses]
    uses = new Map()
    if (taken.length === 0) return
    try {
      await write(taken)
    } catch (error) {
      for (const [id, atMs] of taken) add(id, atMs)
      throw error
    }
  })
  return {
    note(id, atMs) {
      add(id, atMs)
      later.plan()
    },
    later,
  }
}
