import type { Address, Hex } from 'viem'
import { UpstreamError } from '../upstream.ts'
import type { ChainNode } from './paced-node.ts'

/**
 * A program that the node runs without a contract: for each address behind it one word, the balance or the size of the
 * code, zero where there is neither.
 */
const PROGRAM = '0x602538038060253d393d5b8181101560215780518031903b178152602001600a565b503df3'
const WORD_CHARS = 64
const NOTHING = '0'.repeat(WORD_CHARS)
/** Nodes allow programs of 48 KiB. */
export const MAX_ADDRESSES_TOGETHER = 100

/** Which of them have ether or code, in one call. */
export async function readUsed({ call }: ChainNode, addresses: readonly Address[]): Promise<boolean[]> {
  const words = addresses.map((address) => address.slice(2).padStart(WORD_CHARS, '0'))
  const data: Hex = `${PROGRAM}${words.join('')}`
  const reply = await call('eth_call', [{ data }, 'latest'])
  const isWhole =
    typeof reply === 'string' &&
    reply.length === 2 + WORD_CHARS * addresses.length &&
    /^0x[0-9a-fA-F]*$/.test(reply)
  if (!isWhole) throw new UpstreamError('malformed', 'eth_call: not a word for each address')
  return addresses.map((_, i) => reply.slice(2 + i * WORD_CHARS).slice(0, WORD_CHARS) !== NOTHING)
}
