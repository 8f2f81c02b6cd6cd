import { hashMessage, hexToBytes } from 'viem'
import type { TransferClaim } from '../../products/payments/services.ts'
import type { Hex } from '../read/evm/evm-authorization.ts'
import { findSigner } from '../read/evm/evm-signature.ts'
import type { SmartWalletSignatures } from '../read/evm/smart-wallet-signatures.ts'

/** What the sender of a transfer signs. The hash is public once mined: without a signature anyone could claim the transfer. */
export function claimText({ txHash, endpoint }: Pick<TransferClaim, 'txHash' | 'endpoint'>): string {
  return `Tollbook verify-tx\n${txHash.toLowerCase()}\n${endpoint}`
}

/** Signatures of plain keys are checked here; any other is checked on the chain, as that of a contract wallet. */
export async function isSignedByWallet(
  claim: TransferClaim,
  signatures: SmartWalletSignatures,
): Promise<boolean> {
  const wallet = claim.wallet.toLowerCase() as Hex
  const signature = claim.signature.toLowerCase() as Hex
  const hash = hashMessage(claimText(claim))
  const signer = findSigner(hexToBytes(hash), signature)
  if (signer?.address === wallet) return signer.isLowS
  return signatures.holds({ wallet, hash, signature, client: claim.client })
}
