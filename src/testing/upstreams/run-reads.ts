import type { Hex } from 'viem'

const PROGRAM_CHARS = 2 + 2 * 96
const RECORD_CHARS = 2 * 160
const MAX_BYTES_AT = 2 + 2 * 35
const MAX_BYTES_CHARS = 2 * 3
const WORD_CHARS = 64

const wordOf = (value: number) => value.toString(16).padStart(WORD_CHARS, '0')

/** As a node runs the program of `contract-reads.ts`; `answer` is one contract's, undefined a call that fails. */
export function runReads(data: Hex, answer: (to: string, data: Hex) => Hex | undefined): Hex {
  const maxBytes = Number(`0x${data.slice(MAX_BYTES_AT, MAX_BYTES_AT + MAX_BYTES_CHARS)}`)
  const records = data.slice(PROGRAM_CHARS).match(new RegExp(`.{${RECORD_CHARS}}`, 'g')) ?? []
  const slots = records.map((record) => {
    const size = Number(`0x${record.slice(WORD_CHARS, 2 * WORD_CHARS)}`)
    const returned = answer(
      `0x${record.slice(24, WORD_CHARS)}`,
      `0x${record.slice(2 * WORD_CHARS, 2 * WORD_CHARS + 2 * size)}`,
    )
    const bytes = returned?.slice(2)
    const head = wordOf(bytes === undefined ? 0 : bytes.length / 2 + 1)
    return head + (bytes ?? '').slice(0, 2 * maxBytes).padEnd(2 * maxBytes, '0')
  })
  return `0x${slots.join('')}`
}
