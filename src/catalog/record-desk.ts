import type { RecordReader } from '../record/record-reader.ts'

/** What handlers may know of the public record: everything that is public, and no way to add to it. */
export type RecordDesk = Omit<RecordReader, 'publish'>
