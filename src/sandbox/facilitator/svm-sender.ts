import { base58 } from '@scure/base'
import type { FacilitatorSvmSigner } from '@x402/svm'
import type { Secret } from '../../core/secret.ts'

/** Signs as fee payer of the transfers that the facilitator settles on Solana. */
export async function createSvmSender({
  rpcUrl,
  key,
}: {
  rpcUrl: string
  key: Secret
}): Promise<FacilitatorSvmSigner> {
  const [{ createKeyPairSignerFromPrivateKeyBytes }, { toFacilitatorSvmSigner }] = await Promise.all([
    import('@solana/kit'),
    import('@x402/svm'),
  ])
  const signer = await createKeyPairSignerFromPrivateKeyBytes(base58.decode(key.reveal()))
  return toFacilitatorSvmSigner(signer, { defaultRpcUrl: rpcUrl })
}
