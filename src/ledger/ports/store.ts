import type { PaymentLedger } from './payment-book-queries.ts'
import type { RecordBook } from './record-book.ts'
import type { UsageLog } from './usage-log.ts'

/** Free calls that clients have used, by UTC day number. Saved counts only grow within a day, except when a call is given back. */
export type DemoCounters = {
  load(day: number): Promise<ReadonlyMap<string, number>>
  /** Durable when it resolves; all of them or none. */
  save(day: number, used: ReadonlyMap<string, number>): Promise<void>
}

/** What must survive a power cut. SQLite and, later, PostgreSQL stand behind it and run one contract suite. */
export type Store = {
  demo: DemoCounters
  payments: PaymentLedger
  usage: UsageLog
  record: RecordBook
  /** Resolves when the store answers. */
  ping(): Promise<void>
  /** Writes what waits, then lets go. */
  close(): Promise<void>
}
