import { randomUUID } from 'node:crypto'
import { SECOND_MS } from '../../../core/time/time.ts'

export type Heartbeats = {
  /** The id that the next heartbeat must carry; `isExpected` is false where this one carried another. */
  beat(address: string, id: string): { nextId: string; isExpected: boolean }
  tick(nowMs: number): void
}

/** An address that began to send heartbeats and then sends none for this long loses its orders. */
export const HEARTBEAT_LIMIT_MS = 10 * SECOND_MS
const MAX_ADDRESSES = 1_000

export function createHeartbeats(nowMs: () => number, cancelAll: (address: string) => void): Heartbeats {
  const beats = new Map<string, { id: string; atMs: number }>()
  return {
    beat(address, id) {
      const last = beats.get(address)
      if (last ? id !== last.id : id !== '') return { nextId: last?.id ?? '', isExpected: false }
      if (!last && beats.size >= MAX_ADDRESSES) return { nextId: '', isExpected: false }
      const nextId = randomUUID()
      beats.set(address, { id: nextId, atMs: nowMs() })
      return { nextId, isExpected: true }
    },
    tick(now) {
      for (const [address, { atMs }] of beats) {
        if (now - atMs < HEARTBEAT_LIMIT_MS) continue
        beats.delete(address)
        cancelAll(address)
      }
    },
  }
}
