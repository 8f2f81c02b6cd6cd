import type { Hex } from 'viem'

// What contracts return where a token should return a number or a text. Anybody deploys contracts: whatever cannot be
// read is undefined, and nothing here throws.

const WORD_CHARS = 64
/** Longest text that is read of a contract; the rest is left out. */
const MAX_TEXT_BYTES = 1_024
export const NUMBER_BYTES = WORD_CHARS / 2
/** Where it begins, how long it is, and the text. */
export const MAX_TEXT_REPLY_BYTES = 2 * NUMBER_BYTES + MAX_TEXT_BYTES
const DECIMALS_END = 256n

/** The first word. */
export function numberOf(data: Hex | undefined): bigint | undefined {
  const word = wordAt(data, 0)
  return word === undefined ? undefined : BigInt(`0x${word}`)
}

export function decimalsOf(data: Hex | undefined): number | undefined {
  const value = numberOf(data)
  return value !== undefined && value < DECIMALS_END ? Number(value) : undefined
}

/** A text, or 32 bytes that hold one, as the oldest tokens return it. */
export function textOf(data: Hex | undefined): string | undefined {
  const first = wordAt(data, 0)
  if (data === undefined || first === undefined) return undefined
  if (data.length === 2 + WORD_CHARS) return decode(first.replace(/(?:00)+$/, ''))
  const offset = toIndex(first)
  const length = offset === undefined ? undefined : toIndex(wordAt(data, offset * 2))
  if (offset === undefined || length === undefined) return undefined
  const start = 2 + offset * 2 + WORD_CHARS
  const end = start + Math.min(length, MAX_TEXT_BYTES) * 2
  return end > data.length ? undefined : decode(data.slice(start, end))
}

function wordAt(data: Hex | undefined, chars: number): string | undefined {
  const word = data?.slice(2 + chars, 2 + chars + WORD_CHARS)
  return word?.length === WORD_CHARS ? word : undefined
}

/** Undefined for what no reply is long enough for. */
function toIndex(word: string | undefined): number | undefined {
  if (word === undefined) return undefined
  const value = BigInt(`0x${word}`)
  return value < 1n << 32n ? Number(value) : undefined
}

const decode = (hex: string): string => new TextDecoder().decode(Buffer.from(hex, 'hex'))
