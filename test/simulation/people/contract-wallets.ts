import type { Hex } from 'viem'
import type { Requirement } from '../../../src/catalog/payment-terms.ts'
import type { Authorization } from '../../../src/payments/read/evm/evm-authorization.ts'
import { evmAddressOf, evmDigestOf } from './evm-signer.ts'

const wallets = new Map<string, Hex>()
const SIGNATURE_WORDS = 3

/** The address of a contract that signs for its owner (EIP-1271). */
export function contractWalletOf(name: string): Hex {
  const address = evmAddressOf(`contract of ${name}`)
  wallets.set(address, address)
  return address
}

export const isContractWallet = (address: string): boolean => wallets.has(address.toLowerCase())

/** No key made it: it only names what the wallet agreed to. */
export function signAsContract(_name: string, authorization: Authorization, requirement: Requirement): Hex {
  return signatureFor(evmDigestOf(authorization, requirement))
}

const signatureFor = (digest: Hex): Hex => `0x${digest.slice(2).repeat(SIGNATURE_WORDS)}`

/** What the contract says to `isValidSignature(digest, signature)`. */
export function contractAccepts(calldata: string): boolean {
  const digest = calldata.slice(10, 74)
  return calldata.includes(signatureFor(`0x${digest}`).slice(2))
}
