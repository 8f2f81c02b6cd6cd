import {
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  parseAbi,
} from 'viem'
import { createJsonRpc, type JsonRpc, JsonRpcRefusal } from '../../chain/json-rpc.ts'
import { unavailable } from '../../gate/failures.ts'
import type { Hex } from './evm-authorization.ts'

/** Asks the chain whether a contract wallet stands by a signature; throws 503 when it cannot be asked. */
export type SmartWalletSignatures = {
  holds(claim: SignatureClaim): Promise<boolean>
}
export type SignatureClaim = { wallet: Hex; hash: Hex; signature: Hex }

/** Anyone can send signatures that fit nobody: this bounds what they cost our node. */
const CONCURRENT_LIMIT = 16
/** The end of a signature that brings along how to deploy its wallet (ERC-6492). */
const ERC6492_SUFFIX = '6492'.repeat(16)
const ERC1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
const ERC1271_ACCEPTED = '0x1626ba7e'

/**
 * EIP-1271 for wallets that stand, ERC-6492 for those still to be deployed. Not through a general client: the one at
 * hand takes an unreachable node for a refusal, and falls back to plain keys without the low-s rule of the token.
 */
export function createSmartWalletSignatures(options: {
  rpcUrl: string
  timeoutMs: number
}): SmartWalletSignatures {
  const rpc = createJsonRpc(options)
  let underWay = 0
  return {
    async holds(claim) {
      if (underWay >= CONCURRENT_LIMIT) throw unavailable('too many wallet signatures are being checked')
      underWay++
      try {
        return await ask(rpc, claim)
      } catch (cause) {
        throw unavailable('the chain cannot be asked about this wallet', cause)
      } finally {
        underWay--
      }
    },
  }
}

async function ask(rpc: JsonRpc, { wallet, hash, signature }: SignatureClaim): Promise<boolean> {
  if (signature.endsWith(ERC6492_SUFFIX)) {
    const data = encodeDeployData({
      abi: erc6492SignatureValidatorAbi,
      bytecode: erc6492SignatureValidatorByteCode,
      args: [wallet, hash, signature],
    })
    return isOne(await viewCall(rpc, { data }))
  }
  const code = await rpc.call('eth_getCode', [wallet, 'latest'])
  if (typeof code !== 'string') throw new Error('the node gave no code')
  // Without code it is a plain key, and of those only the low-s signature counts, which is checked elsewhere.
  if (code === '0x') return false
  const data = encodeFunctionData({
    abi: ERC1271,
    functionName: 'isValidSignature',
    args: [hash, signature],
  })
  const answer = await viewCall(rpc, { to: wallet, data })
  return answer?.startsWith(ERC1271_ACCEPTED) ?? false
}

/** Undefined when the contract itself refused; anything else that fails is no answer. */
async function viewCall(rpc: JsonRpc, call: { to?: Hex; data: Hex }): Promise<string | undefined> {
  try {
    const answer = await rpc.call('eth_call', [call, 'latest'])
    if (typeof answer !== 'string') throw new Error('the node gave no result')
    return answer
  } catch (error) {
    if (error instanceof JsonRpcRefusal && error.isRevert) return undefined
    throw error
  }
}

function isOne(answer: string | undefined): boolean {
  return answer !== undefined && /^0x0*1$/.test(answer)
}
