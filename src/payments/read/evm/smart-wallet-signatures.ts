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

/** Asks the chain whether a contract wallet accepts a signature; throws 503 when it cannot be asked. */
export type SmartWalletSignatures = {
  holds(claim: SignatureClaim): Promise<boolean>
}
export type SignatureClaim = { wallet: Hex; hash: Hex; signature: Hex }

/** Anyone can send signatures that match no key: this bounds the load on our node. */
const CONCURRENT_LIMIT = 16
/** The end of a signature that includes how to deploy its wallet (ERC-6492). */
const ERC6492_SUFFIX = '6492'.repeat(16)
const ERC1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
const ERC1271_ACCEPTED = '0x1626ba7e'

/**
 * EIP-1271 for deployed wallets, ERC-6492 for those still to be deployed. Not through viem's client: it treats an
 * unreachable node as a refusal, and falls back to plain keys without the token's low-s rule.
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
  if (typeof code !== 'string') throw new Error('the node returned no code')
  // An address without code has a plain key; its signature has been checked before, and failed.
  if (code === '0x') return false
  const data = encodeFunctionData({
    abi: ERC1271,
    functionName: 'isValidSignature',
    args: [hash, signature],
  })
  const answer = await viewCall(rpc, { to: wallet, data })
  return answer?.startsWith(ERC1271_ACCEPTED) ?? false
}

/** Undefined when the contract itself reverted; throws on any other failure. */
async function viewCall(rpc: JsonRpc, call: { to?: Hex; data: Hex }): Promise<string | undefined> {
  try {
    const answer = await rpc.call('eth_call', [call, 'latest'])
    if (typeof answer !== 'string') throw new Error('the node returned no result')
    return answer
  } catch (error) {
    if (error instanceof JsonRpcRefusal && error.isRevert) return undefined
    throw error
  }
}

function isOne(answer: string | undefined): boolean {
  return answer !== undefined && /^0x0*1$/.test(answer)
}
