import { createHash } from 'node:crypto'
import { bytesToHex } from 'viem'
import type { Requirement } from '../../../catalog/payment-terms.ts'
import { ServiceError } from '../../../core/service-error.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { RefusalReason } from '../../gate/refusal.ts'
import type { Problem } from '../../gate/sell.ts'
import type { ReadScheme } from '../read-scheme.ts'
import {
  findAuthorizationProblem,
  findSignedAuthorization,
  type SignedAuthorization,
} from './evm-authorization.ts'
import { createHashAuthorization } from './evm-digest.ts'
import { findSigner, withContractV } from './evm-signature.ts'
import type { FindSigner } from './signers/signers.ts'
import type { SmartWalletSignatures } from './smart-wallet-signatures.ts'

const PLAIN_SIGNATURE_CHARS = 2 + 2 * 65

export type ReadEvmPorts = {
  clock: Clock
  signatures: SmartWalletSignatures
  /** Absent: in this thread. */
  findSigner?: FindSigner | undefined
}

/** The `exact` scheme on EVM chains: an EIP-3009 authorization, signed by a key or by a contract wallet. */
export function createReadEvm(ports: ReadEvmPorts): ReadScheme {
  const signerOf = ports.findSigner ?? findSigner
  const hashOf = createHashAuthorization()
  const findSignatureProblem = async (
    { authorization, signature }: SignedAuthorization,
    requirement: Requirement,
    client: string,
  ): Promise<RefusalReason | undefined> => {
    if (signature.length < PLAIN_SIGNATURE_CHARS) return 'invalid_signature'
    const hash = hashOf(authorization, requirement)
    const signer = await signerOf(hash, signature)
    if (signer?.address === authorization.from) return signer.isLowS ? undefined : 'invalid_signature'
    const holds = await ports.signatures.holds({
      wallet: authorization.from,
      hash: bytesToHex(hash),
      signature,
      client,
    })
    return holds ? undefined : 'invalid_signature'
  }
  return async (payload, requirement, { termsProblem, client }) => {
    const parsed = findSignedAuthorization(payload)
    if (!parsed) return 'malformed_payment'
    const { authorization } = parsed
    const signed = { authorization, signature: withContractV(parsed.signature) }
    const problem =
      termsProblem ??
      findAuthorizationProblem(authorization, requirement, ports.clock.now()) ??
      (await findSignatureProblem(signed, requirement, client).catch(asProblem))
    const { network, asset } = requirement
    return {
      key: `${network}/${asset}/${authorization.from}/${authorization.nonce}`.toLowerCase(),
      payer: authorization.from,
      payload: signed,
      validBeforeMs: Number(authorization.validBefore) * 1000,
      digest: digestOf(network, signed),
      problem,
    }
  }
}

/** A wallet that cannot be asked about now buys nothing new; what it has bought is still its own. */
function asProblem(error: unknown): Problem {
  if (error instanceof ServiceError) return error
  throw error
}

/** Over every signed field and the signature, in a fixed order and spelling. */
function digestOf(network: string, { authorization, signature }: SignedAuthorization): string {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  return createHash('sha256')
    .update(JSON.stringify([network, from, to, value, validAfter, validBefore, nonce, signature]))
    .digest('hex')
}
