import { toFunctionSelector } from 'viem'
import type { ChainOutcome } from '../../gate/ports.ts'
import type { Referee } from '../chain.ts'
import { callTogether, type JsonRpc, type RpcCall } from '../json-rpc.ts'
import { Block, toQuantity } from './block.ts'
import { checkLogs } from './check-past.ts'
import { readFinalBlock } from './final-block.ts'
import { createFindUse, SEARCH_BACK_S, SEARCH_ON_S } from './find-use.ts'
import { AUTHORIZATION_CANCELED, type Expected, expectedOf, isPaidBy } from './logs.ts'
import { readReceipt, readReceiptOfUse } from './receipts.ts'

export type EvmRefereeOptions = {
  /** One node: its head, its state and its receipts belong together. */
  rpc: JsonRpc
  /** Blocks before a payment of this amount counts, including its own. */
  confirmations: (amount: bigint) => number
  /** Blocks per `eth_getLogs` at first; a node that refuses is asked for fewer. */
  logRangeBlocks?: number
}

const AUTHORIZATION_STATE = toFunctionSelector('authorizationState(address,bytes32)')
export const TRANSACTION = /^0x[0-9a-fA-F]{64}$/
const FALSE = `0x${'0'.repeat(64)}`
const TRUE = `0x${'0'.repeat(63)}1`
/** Ten blocks after its expiry, when a reorganisation can no longer make an authorization valid again. */
export const DEAD_MARGIN_S = 20
export const LOG_RANGE_BLOCKS = 500
const YOUNG = { kind: 'open', isSeen: true } as const
const LATEST: RpcCall = ['eth_getBlockByNumber', ['latest', false]]

/** EIP-3009: the token knows whether an authorization was used. An error is never taken for "unused". */
export function createEvmReferee(options: EvmRefereeOptions): Referee {
  const { rpc, confirmations, logRangeBlocks = LOG_RANGE_BLOCKS } = options
  const findUse = createFindUse({ rpc, logRangeBlocks })

  const byState = async (expected: Expected, claimedAtMs: number | undefined): Promise<ChainOutcome> => {
    const [block, state] = await callTogether(rpc, [LATEST, useCall(expected, 'latest')])
    const latest = Block.parse(block)
    const isExpired = latest.timestamp > expected.validBeforeS + DEAD_MARGIN_S
    if (!toIsUsed(state) && !isExpired) return { kind: 'open' }
    // Asked again at that block: now state and time must match, whichever node behind a load balancer answers.
    if (!(await isUsed(rpc, expected, latest))) return { kind: isExpired ? 'dead' : 'open' }
    const use = await findUse(expected, latest, claimedAtMs)
    if (!use) return byAbsence(rpc, expected)
    if (!isDeep(use.blockNumber, latest.number, confirmations(expected.amount))) return YOUNG
    if (use.topics[0] === AUTHORIZATION_CANCELED) return { kind: 'dead' }
    const { upTo: head, receipt } = await readReceiptOfUse(rpc, use, expected)
    if (!receipt) throw new Error('the node has the log of a transaction but not its receipt')
    // It moved to another block since its log was read.
    if (receipt.blockNumber !== use.blockNumber) return { kind: 'open' }
    if (!isDeep(receipt.blockNumber, head, confirmations(expected.amount))) return YOUNG
    // Used by another message with the same nonce: this one can never be used.
    return isPaidBy(receipt, expected) ? { kind: 'paid', transaction: use.transactionHash } : { kind: 'dead' }
  }
  return {
    async outcome(payment, hint, claimedAtMs) {
      const expected = expectedOf(payment)
      const hinted =
        hint !== undefined && TRANSACTION.test(hint)
          ? await byTransaction(rpc, hint, expected, confirmations(expected.amount))
          : undefined
      return hinted ?? byState(expected, claimedAtMs)
    },
  }
}

/**
 * Used, and in no block in which it can have been: by another message with the same nonce, long before this one came.
 * That is final when its whole life is, and for a node that shows logs from both ends of that time: an index can begin
 * after it, or stand still before it.
 */
async function byAbsence(rpc: JsonRpc, { token, validBeforeS }: Expected): Promise<ChainOutcome> {
  const final = await readFinalBlock(rpc)
  if (final.timestamp <= validBeforeS + DEAD_MARGIN_S)
    throw new Error('the authorization was used, in a block out of reach of the search')
  for (const atS of [validBeforeS - SEARCH_BACK_S, validBeforeS + SEARCH_ON_S])
    await checkLogs(rpc, token, atS)
  return { kind: 'dead', isAbsent: true }
}

/** Undefined when that transaction says nothing about this authorization. */
async function byTransaction(
  rpc: JsonRpc,
  transaction: string,
  expected: Expected,
  confirmations: number,
): Promise<ChainOutcome | undefined> {
  const { upTo: head = 0, receipt } = (await readReceipt(rpc, transaction, expected.token)) ?? {}
  if (!receipt || !isPaidBy(receipt, expected)) return undefined
  return isDeep(receipt.blockNumber, head, confirmations)
    ? { kind: 'paid', transaction: receipt.transactionHash }
    : YOUNG
}

/** A block beyond the head is only announced: nodes show receipts of it before it exists. */
const isDeep = (blockNumber: number, head: number, confirmations: number) =>
  blockNumber <= head && head - blockNumber + 1 >= confirmations

export async function isUsed(rpc: JsonRpc, expected: Expected, at: Block | 'latest'): Promise<boolean> {
  return toIsUsed(await rpc.call(...useCall(expected, at)))
}

/** The question whether an authorization was used, and what the answer says. */
export const useCall = (
  { token, payerTopic, nonce }: Pick<Expected, 'token' | 'payerTopic' | 'nonce'>,
  at: Block | 'latest',
): RpcCall => {
  const data = `${AUTHORIZATION_STATE}${payerTopic.slice(2)}${nonce.slice(2)}`
  return ['eth_call', [{ to: token, data }, at === 'latest' ? at : toQuantity(at.number)]]
}
export function toIsUsed(answer: unknown): boolean {
  if (answer === TRUE) return true
  // A missing contract returns "0x": that is not an answer either.
  if (answer === FALSE) return false
  throw new Error('the token did not say whether the authorization was used')
}
