import {
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  numberToHex,
  parseAbi,
} from 'viem'
import { type JsonRpc, JsonRpcRefusal } from '../../chain/json-rpc.ts'
import type { Hex } from './evm-authorization.ts'

export type SignatureClaim = { wallet: Hex; hash: Hex; signature: Hex }

/** The end of a signature that includes how to deploy its wallet (ERC-6492). */
const ERC6492_SUFFIX = '6492'.repeat(16)
const ERC1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
/** Four bytes, and the zeros that fill its word. A contract that sends back what it is asked begins with the same four. */
const ERC1271_ACCEPTED = `0x1626ba7e${'0'.repeat(56)}`

/**
 * A contract may compute for as long as it has gas, and our node with it. A key check of a passkey in Solidity takes
 * about 330,000, and some wallets check several.
 */
const ERC1271_GAS = 2_000_000
/** Deploying the proxy of a wallet comes on top, and the bytes of the call, which count too. */
const ERC6492_GAS = 5_000_000

/**
 * EIP-1271 for deployed wallets, ERC-6492 for those still to be deployed. Not through viem's client: it treats an
 * unreachable node as a refusal, and falls back to plain keys without the token's low-s rule.
 */
export async function askContractWallet(
  rpc: JsonRpc,
  { wallet, hash, signature }: SignatureClaim,
): Promise<boolean> {
  if (signature.endsWith(ERC6492_SUFFIX)) {
    const data = encodeDeployData({
      abi: erc6492SignatureValidatorAbi,
      bytecode: erc6492SignatureValidatorByteCode,
      args: [wallet, hash, signature],
    })
    return isOne(await viewCall(rpc, { data, gas: numberToHex(ERC6492_GAS) }))
  }
  // An address without code answers nothing: its key has been tried before, and failed.
  const data = encodeFunctionData({
    abi: ERC1271,
    functionName: 'isValidSignature',
    args: [hash, signature],
  })
  const answer = await viewCall(rpc, { to: wallet, data, gas: numberToHex(ERC1271_GAS) })
  return answer?.toLowerCase() === ERC1271_ACCEPTED
}

/** Undefined when the contract itself failed; throws on any other failure. */
async function viewCall(rpc: JsonRpc, call: { to?: Hex; data: Hex; gas: Hex }): Promise<string | undefined> {
  try {
    const answer = await rpc.call('eth_call', [call, 'latest'])
    if (typeof answer !== 'string') throw new Error('the node returned no result')
    return answer
  } catch (error) {
    if (error instanceof JsonRpcRefusal && error.isContractFailure) return undefined
    throw error
  }
}

function isOne(answer: string | undefined): boolean {
  return answer !== undefined && /^0x0*1$/.test(answer)
}
