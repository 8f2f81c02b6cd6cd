import { fromText, toText } from './codec.ts'

/** Rises with every change of what entries or parts mean. Processes of another format do not read each other. */
export const FORMAT = 1

/** One turn of the leader: all that has changed since the one before. An entry without changes says that it lives. */
export type Entry = {
  epoch: number
  /** Rises by one from entry to entry of a term. */
  seq: number
  /** On the leader's steady clock: only differences mean anything. */
  sentMs: number
  changes: readonly unknown[]
}
/** A part of the state as it was right after the entry `seq`. */
type Part = { epoch: number; seq: number; state: unknown }

/** The leader runs another release. */
export class OtherFormat extends Error {}

export const toEntryText = ({ epoch, seq, sentMs, changes }: Entry): string =>
  toText([FORMAT, epoch, seq, sentMs, changes])

/** Throws where it is none. */
export function parseEntry(text: string): Entry {
  const [epoch, seq, sentMs, changes] = parseFields(text, 4)
  if (!isCount(epoch) || !isCount(seq) || !Number.isFinite(sentMs) || !Array.isArray(changes))
    throw new Error('it is no entry')
  return { epoch, seq, sentMs: sentMs as number, changes }
}

export const toPartText = ({ epoch, seq, state }: Part): string => toText([FORMAT, epoch, seq, state])

export function parsePart(text: string): Part {
  const [epoch, seq, state] = parseFields(text, 3)
  if (!isCount(epoch) || !isCount(seq)) throw new Error('it is no part')
  return { epoch, seq, state }
}

function parseFields(text: string, count: number): readonly unknown[] {
  const parsed = fromText(text)
  if (!Array.isArray(parsed)) throw new Error('it is no list of fields')
  const [format, ...fields] = parsed
  if (isCount(format) && format !== FORMAT)
    throw new OtherFormat(
      `the engine writes format ${format} and this process reads ${FORMAT}: run the same release on both`,
    )
  if (format !== FORMAT || fields.length !== count) throw new Error('it has other fields')
  return fields
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
