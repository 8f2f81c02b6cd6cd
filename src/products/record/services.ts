import type { Clock } from '../../core/time/clock.ts'
import type { RecordReader } from '../../record/record-reader.ts'

/** What handlers may know of the public record: everything that is public, and no way to add to it. */
export type PublicRecord = Omit<RecordReader, 'publish' | 'recall'>

export type RecordServices = {
  clock: Clock
  sourceOf(source: string): string
  /** Absent where no record is kept. */
  record?: PublicRecord | undefined
}
