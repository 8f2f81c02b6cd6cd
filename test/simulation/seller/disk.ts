import { ServiceError } from '../../../src/core/service-error.ts'
import type { Turns } from '../../../src/ledger/turns.ts'
import type { Commit } from '../../../src/testing/ledger/commit.ts'
import {
  createMemoryFinality,
  type MemoryFinality,
} from '../../../src/testing/ledger/finality/memory-finality-book.ts'
import type { MemoryRows } from '../../../src/testing/ledger/memory-payment-rows.ts'
import type { Seeded } from '../../../src/testing/seeded.ts'
import type { Faults } from '../faults.ts'
import type { Timeline, Trace } from '../timeline.ts'

/** What survives a crash, and the commits on their way to it. */
export type Disk = {
  rows: MemoryRows
  turns: Turns
  finality: MemoryFinality
  commitFor(isAlive: () => boolean): Commit
  /** Commits of a process that are under way may have reached the disk, in order, up to any one. Nobody hears of it. */
  crash(isAlive: () => boolean): void
}
type Pending = { isAlive: () => boolean; apply: () => unknown; cancel: () => void }
type World = { timeline: Timeline; random: Seeded; faults: Faults; trace: Trace }

const COMMIT_MS = 3

export function createDisk({ timeline, random, faults, trace }: World): Disk {
  const rows: MemoryRows = new Map()
  let pending: Pending[] = []
  let lastAtMs = 0
  const enqueue = <T>(apply: () => T, isAlive: () => boolean) =>
    new Promise<T>((resolve, reject) => {
      if (!isAlive()) return
      const isFailing = random.chance(faults.storeFailure)
      const isDoubtful = !isFailing && random.chance(faults.storeDoubt)
      // Commits keep their order: events of the same time run in the order they were made.
      lastAtMs = Math.max(lastAtMs, timeline.now() + random.between(0, COMMIT_MS))
      const entry: Pending = { isAlive, apply: isFailing ? () => undefined : apply, cancel: () => undefined }
      pending.push(entry)
      entry.cancel = timeline.after(lastAtMs - timeline.now(), () => {
        pending = pending.filter((each) => each !== entry)
        if (isFailing) {
          trace?.('disk: commit failed')
          return reject(new ServiceError('store_unavailable', 'the disk is full'))
        }
        try {
          const result = apply()
          if (!isDoubtful) return resolve(result)
          trace?.('disk: commit succeeded, and is reported as failed')
          reject(new ServiceError('store_unavailable', 'the connection to the ledger was lost'))
        } catch (error) {
          reject(error)
        }
      })
    })
  return {
    rows,
    turns: new Map(),
    finality: createMemoryFinality(),
    commitFor: (isAlive) => (apply) => enqueue(apply, isAlive),
    crash(isAlive) {
      const own = pending.filter((each) => each.isAlive === isAlive)
      const durable = random.between(0, own.length)
      if (own.length > 0) trace?.(`disk: ${durable} of ${own.length} commits under way are durable`)
      own.forEach(({ apply, cancel }, index) => {
        cancel()
        if (index < durable) apply()
      })
      pending = pending.filter((each) => each.isAlive !== isAlive)
    },
  }
}
