import { encodeFunctionData, parseAbi } from 'viem'
import type { Chain, ChainOutcome } from '../../gate/ports.ts'
import { createJsonRpc, type JsonRpc } from '../json-rpc.ts'
import { type Block, readBlock, toQuantity } from './block.ts'
import { createFindUse } from './find-use.ts'
import { AUTHORIZATION_CANCELED, type Expected, expectedOf, isPaidBy, Quantity, Receipt } from './logs.ts'

export type EvmRefereeOptions = {
  rpcUrl: string
  /** Blocks before a use counts, including its own. */
  confirmations: number
  timeoutMs: number
  /** Blocks per `eth_getLogs`; public nodes allow at least 500. */
  logRangeBlocks?: number
}

const ABI = parseAbi(['function authorizationState(address authorizer, bytes32 nonce) view returns (bool)'])
const TRANSACTION = /^0x[0-9a-fA-F]{64}$/
const FALSE = `0x${'0'.repeat(64)}`
const TRUE = `0x${'0'.repeat(63)}1`
/** Ten blocks after its expiry, when a reorganisation can no longer make an authorization valid again. */
const DEAD_MARGIN_S = 20
const LOG_RANGE_BLOCKS = 500

/** EIP-3009: the token knows whether an authorization was used. An error is never taken for "unused". */
export function createEvmReferee(options: EvmRefereeOptions): Chain {
  const { confirmations, logRangeBlocks = LOG_RANGE_BLOCKS } = options
  const rpc = createJsonRpc(options)
  const findUse = createFindUse({ rpc, logRangeBlocks })

  const byState = async (expected: Expected): Promise<ChainOutcome> => {
    const latest = await readBlock(rpc, 'latest')
    // Asked at that block: state and time must match, whichever node behind a load balancer answers.
    if (!(await isUsed(rpc, expected, latest))) {
      return { kind: latest.timestamp > expected.validBeforeS + DEAD_MARGIN_S ? 'dead' : 'open' }
    }
    const use = await findUse(expected, latest)
    if (latest.number - use.blockNumber + 1 < confirmations) return { kind: 'open' }
    if (use.topics[0] === AUTHORIZATION_CANCELED) return { kind: 'dead' }
    const receipt = Receipt.parse(await rpc.call('eth_getTransactionReceipt', [use.transactionHash]))
    if (!receipt) throw new Error('the node has the log of a transaction but not its receipt')
    // Used by another message with the same nonce: this one can never be used.
    return isPaidBy(receipt, expected) ? { kind: 'paid', transaction: use.transactionHash } : { kind: 'dead' }
  }
  return {
    async outcome(payment, hint) {
      const expected = expectedOf(payment)
      const hinted =
        hint !== undefined && TRANSACTION.test(hint)
          ? await byTransaction(rpc, hint, expected, confirmations)
          : undefined
      return hinted ?? byState(expected)
    },
  }
}

/** Undefined when that transaction says nothing about this authorization. */
async function byTransaction(
  rpc: JsonRpc,
  transaction: string,
  expected: Expected,
  confirmations: number,
): Promise<ChainOutcome | undefined> {
  const asked = ['eth_getTransactionReceipt', [transaction]] as const
  const [reply, height] =
    confirmations > 1
      ? await rpc.batch([asked, ['eth_blockNumber', []]])
      : [await rpc.call(...asked), undefined]
  const receipt = Receipt.parse(reply)
  if (!receipt || !isPaidBy(receipt, expected)) return undefined
  const depth = confirmations > 1 ? Quantity.parse(height) - receipt.blockNumber + 1 : 1
  return depth >= confirmations ? { kind: 'paid', transaction: receipt.transactionHash } : { kind: 'open' }
}

async function isUsed(rpc: JsonRpc, { token, payer, nonce }: Expected, block: Block): Promise<boolean> {
  const data = encodeFunctionData({ abi: ABI, args: [payer, nonce] })
  const answer = await rpc.call('eth_call', [{ to: token, data }, toQuantity(block.number)])
  if (answer === TRUE) return true
  // A missing contract returns "0x": that is not an answer either.
  if (answer === FALSE) return false
  throw new Error('the token did not say whether the authorization was used')
}
