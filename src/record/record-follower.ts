import type { Mode } from '../config/variables/variable.ts'
import { describeError } from '../core/describe-error.ts'
import { createFaultLog } from '../core/fault-log.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import { SECOND_MS } from '../core/time/time.ts'
import type { RecordBook } from '../ledger/ports/record-book.ts'
import { createRecordLog } from './log/record-log.ts'
import { createRecordReader, type RecordReader } from './record-reader.ts'

/** The public record in a process that does not keep it: read from the ledger as another one writes it. */
export type RecordFollower = {
  reader: Omit<RecordReader, 'publish' | 'recall'>
  /** Rejects where the ledger's record differs from what was signed, or is of another mode. */
  start(): Promise<void>
  /** The keeper says that there are so many leaves: they are read now rather than with the next look. */
  heard(treeSize: number): void
  /** Aborted once the record is signed with another key than this process signs with. */
  otherKey: AbortSignal
  /** Resolves when nothing is being read. */
  idle(): Promise<void>
  stop(): void
}

type Ports = {
  clock: Clock
  log: Pick<Log, 'warn'>
  book: RecordBook
  /** Of the key that signs. */
  keyId: string
  mode: Mode
}

/** A head is signed twice in each window; whoever hears of it does not wait for this. */
const LOOK_EVERY_MS = 5 * SECOND_MS

export function createRecordFollower({ clock, log, book, keyId, mode }: Ports): RecordFollower {
  const record = createRecordLog({ book, key: { id: keyId }, mode })
  const reader = createRecordReader({ clock, book, record, keyId })
  const otherKey = new AbortController()
  const faults = createFaultLog(log, 'the record could not be read on')
  let isDue = false
  let reading: Promise<void> | undefined
  let stopLooking = () => {}
  const follow = async () => {
    const before = record.head?.treeSize
    await record.follow()
    if (record.head && record.head.keyId !== keyId) otherKey.abort()
    if (record.head?.treeSize !== before) await reader.recall()
  }
  const readAll = async () => {
    try {
      while (isDue) {
        isDue = false
        await follow()
      }
      faults.succeeded()
    } catch (error) {
      faults.failed(error, { cause: describeError(error) })
    } finally {
      reading = undefined
    }
  }
  const look = () => {
    isDue = true
    reading ??= readAll()
  }
  return {
    reader,
    async start() {
      await follow()
      stopLooking = clock.every(LOOK_EVERY_MS, look)
    },
    heard(treeSize) {
      if (treeSize > (record.head?.treeSize ?? 0)) look()
    },
    otherKey: otherKey.signal,
    async idle() {
      while (reading) await reading
    },
    stop: () => stopLooking(),
  }
}
