import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { RefusalReason } from '../../gate/refusal.ts'
import type { ReadScheme } from '../read-scheme.ts'
import { createTokenAccountOf, isSignedBy } from './svm-address.ts'
import {
  findMessage,
  findWireTransaction,
  type Message,
  messageHash,
  type WireTransaction,
} from './svm-transaction.ts'
import { findTransfer, findTransferProblem } from './svm-transfer.ts'

const Exact = z.strictObject({ transaction: z.base64() })
/** The fee payer, who signs last, and the payer. */
const SIGNERS = 2

/** The `exact` scheme on Solana: a transaction that the payer signed and the fee payer will sign and send. */
export function createReadSvm(): ReadScheme {
  const tokenAccountOf = createTokenAccountOf()
  return async (payload, requirement, { termsProblem }) => {
    const { data } = Exact.safeParse(payload)
    const wire = data && findWireTransaction(data.transaction)
    const message = wire && findMessage(wire.message)
    if (!data || !wire || !message) return 'malformed_payment'
    const transfer = findTransfer(message)
    if (!transfer) return 'payment_refused'
    const payer = transfer.authority
    const hash = messageHash(wire.message)
    const problem =
      termsProblem ??
      (await findTransferProblem(message, transfer, requirement, tokenAccountOf)) ??
      findSignatureProblem(message, wire, payer)
    const signature = Buffer.from(wire.signatures[1] ?? []).toString('hex')
    return {
      key: `${requirement.network}/${hash}`,
      payer,
      payload: { transaction: data.transaction },
      validBeforeMs: undefined,
      digest: createHash('sha256')
        .update(JSON.stringify([requirement.network, hash, signature]))
        .digest('hex'),
      problem,
    }
  }
}

/** Who pays the fees of the transaction in a payload. */
export function findFeePayer(payload: Record<string, unknown>): string | undefined {
  const { data } = Exact.safeParse(payload)
  const wire = data && findWireTransaction(data.transaction)
  return wire && findMessage(wire.message)?.staticAccounts[0]
}

function findSignatureProblem(
  { header, staticAccounts }: Message,
  { signatures, message }: WireTransaction,
  payer: string,
): RefusalReason | undefined {
  if (header.numSignerAccounts !== SIGNERS || signatures.length !== SIGNERS) return 'invalid_signature'
  const [, signer] = staticAccounts
  const signature = signatures[1]
  // Signers come first in a message, so the second account must be the payer.
  if (!signer || signer !== payer || !signature) return 'invalid_signature'
  return isSignedBy(signer, signature, message) ? undefined : 'invalid_signature'
}
