import type { Hex } from 'viem'
import { UpstreamError } from '../upstream.ts'
import type { ChainNode } from './paced-node.ts'

export type ContractRead = { to: Hex; data: Hex }

/** What each call returned, in their order and at most `maxBytes` of it; undefined where it failed. */
export type ContractReads = (
  reads: readonly ContractRead[],
  maxBytes: number,
) => Promise<readonly (Hex | undefined)[]>

/** For each read: whom, how many bytes it is sent, and these bytes. */
const WORD_BYTES = 32
const SENT_BYTES = 3 * WORD_BYTES
const RECORD = (2 * WORD_BYTES + SENT_BYTES).toString(16)
const MAX_TOGETHER = 100
/** Nodes return no more from a program. */
const MAX_RETURNED_BYTES = 24_576
/** What one contract may use: many times what a balance takes, and a hundred of them stay below what nodes allow. */
const GAS_EACH = 250_000
/** A call gets at most 63/64 of what is left: with less than this it would get less, and seem to fail by itself. */
const GAS_NEEDED = 300_000

/**
 * Many contracts are read in one call, and none can spoil it for the others: each has gas of its own, and what it returns
 * is cut. Multicall3 has no such bounds.
 */
export function createContractReads({ call }: ChainNode): ContractReads {
  const readTogether = async (reads: readonly ContractRead[], maxBytes: number) => {
    const data: Hex = `0x${programFor(reads.length, maxBytes)}${reads.map(toRecord).join('')}`
    return toResults(await call('eth_call', [{ data }, 'latest']), reads.length, maxBytes)
  }
  return async (reads, maxBytes) => {
    const together = Math.min(MAX_TOGETHER, Math.floor(MAX_RETURNED_BYTES / (WORD_BYTES + maxBytes)))
    const found: (Hex | undefined)[] = []
    for (let i = 0; i < reads.length; i += together)
      found.push(...(await readTogether(reads.slice(i, i + together), maxBytes)))
    return found
  }
}

/**
 * A program that the node runs without a contract. Behind it stand the records. It returns for each of them a word, which
 * is 0 where the call failed and else one more than the bytes that came back, and `maxBytes` of these.
 */
function programFor(count: number, maxBytes: number): string {
  const slot = WORD_BYTES + maxBytes
  const record = count * slot
  const push = (value: number) => `62${value.toString(16).padStart(6, '0')}`
  return [
    // The stack holds where the next record stands, and above it where its answer goes.
    '6100606000',
    // Until there is an answer to each; without enough gas all fail, so that no contract is blamed for it.
    `5b80${push(record)}1461005857`,
    `${push(GAS_NEEDED)}5a1061005257`,
    // The record is copied behind the answers, and called.
    `60${RECORD}82${push(record)}39`,
    `${push(maxBytes)}81602001${push(record + WORD_BYTES)}51${push(record + 2 * WORD_BYTES)}${push(record)}51`,
    `${push(GAS_EACH)}fa3d600101028152`,
    `${push(slot)}019060${RECORD}019061000556`,
    '5b60006000fd',
    `5b${push(record)}6000f3`,
  ].join('')
}

function toRecord({ to, data }: ContractRead): string {
  const bytes = data.slice(2)
  const size = (bytes.length / 2).toString(16)
  return (
    to.slice(2).padStart(2 * WORD_BYTES, '0') +
    size.padStart(2 * WORD_BYTES, '0') +
    bytes.padEnd(2 * SENT_BYTES, '0')
  )
}

function toResults(reply: unknown, count: number, maxBytes: number): readonly (Hex | undefined)[] {
  const slotChars = 2 * (WORD_BYTES + maxBytes)
  const isWhole =
    typeof reply === 'string' && reply.length === 2 + slotChars * count && /^0x[0-9a-fA-F]*$/.test(reply)
  if (!isWhole) throw new UpstreamError('malformed', 'eth_call: not the results of the calls')
  return Array.from({ length: count }, (_, i) => {
    const slot = reply.slice(2 + i * slotChars, 2 + (i + 1) * slotChars)
    const size = Number(`0x${slot.slice(0, 2 * WORD_BYTES)}`) - 1
    if (size < 0) return undefined
    return `0x${slot.slice(2 * WORD_BYTES, 2 * (WORD_BYTES + Math.min(size, maxBytes)))}` as const
  })
}
