import type { SQLOutputValue } from 'node:sqlite'
import { HALF } from '../sqlite/sales/sales-tables.ts'

/** What the target is sent, and the same as text, which is what both sides make a checksum of. */
export type Value = { sent: string | boolean | Buffer | null; seen: string | null }

/** Not in the text of PostgreSQL. */
const NUL = /\0/g
const REPLACEMENT = '\ufffd'
const DOUBLE_BYTES = 8
const NOTHING: Value = { sent: null, seen: null }

type ToValue = (value: NonNullable<SQLOutputValue>) => Value
const same = (text: string): Value => ({ sent: text, seen: text })

/** By the type of the target's column. Whole numbers come as bigint, so that none is rounded. */
const BY_TYPE: Readonly<Record<string, ToValue>> = {
  bigint: (value) => same(String(value)),
  integer: (value) => same(String(value)),
  boolean: (value) => ({ sent: Number(value) === 1, seen: Number(value) === 1 ? '1' : '0' }),
  'double precision': toDouble,
  numeric: toSum,
  bytea: toBytes,
  text: (value) => same(String(value)),
}

/** Undefined for a type that no ledger had before. */
export function findConverter(type: string): ((value: SQLOutputValue) => Value) | undefined {
  const convert = BY_TYPE[type]
  return convert && ((value) => (value === null ? NOTHING : convert(value)))
}

/** For `words`; NUL becomes the character that stands for what cannot be shown. */
export function replaceNul(value: SQLOutputValue): SQLOutputValue {
  return typeof value === 'string' ? value.replace(NUL, REPLACEMENT) : value
}

export const hasNul = (value: SQLOutputValue): boolean => typeof value === 'string' && value.includes('\0')

/** The shortest text that reads as the same number; compared by its bits. */
function toDouble(value: NonNullable<SQLOutputValue>): Value {
  const number = Number(value)
  const bits = Buffer.alloc(DOUBLE_BYTES)
  bits.writeDoubleBE(number)
  return { sent: Object.is(number, -0) ? '-0' : String(number), seen: bits.toString('hex') }
}

function toSum(value: NonNullable<SQLOutputValue>): Value {
  const [high = '', low = ''] = String(value).split(' ')
  return same(String(BigInt(high) * HALF + BigInt(low)))
}

function toBytes(value: NonNullable<SQLOutputValue>): Value {
  const bytes = value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value))
  return { sent: bytes, seen: bytes.toString('hex') }
}
