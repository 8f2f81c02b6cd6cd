import { hashMessage, hexToBytes, isHex } from 'viem'
import { ServiceError } from '../../core/service-error.ts'
import type { Hex } from '../../payments/read/evm/evm-authorization.ts'
import { findSigner } from '../../payments/read/evm/evm-signature.ts'
import type { SmartWalletSignatures } from '../../payments/read/evm/smart-wallet-signatures.ts'

/** `client` sends it: what it may ask of the chain is counted. */
type Claim = { wallet: string; text: string; signature: string; client: string }

/**
 * By the key of the wallet, 65 bytes with the lower s, or by the word of a contract (EIP-1271, ERC-6492). A compact
 * signature of 64 bytes is none: every signature of a key has one form only. `wallet` is in lower case.
 */
export async function isSignedByWallet(
  { wallet, text, signature: given, client }: Claim,
  signatures: SmartWalletSignatures,
): Promise<boolean> {
  const signature = given.toLowerCase()
  if (!isHex(signature) || signature.length % 2 !== 0) return false
  const hash = hashMessage(text)
  const signer = findSigner(hexToBytes(hash), signature)
  if (signer?.address === wallet) return signer.isLowS
  try {
    return await signatures.holds({ wallet: wallet as Hex, hash, signature, client })
  } catch (cause) {
    if (cause instanceof ServiceError && cause.code === 'rate_limited') throw cause
    throw new ServiceError('upstream_unavailable', 'the chain cannot be asked about this wallet', { cause })
  }
}
