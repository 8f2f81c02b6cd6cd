import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import {
  type Address,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Transaction,
} from '@solana/kit'
import { RPC_ERRORS, SvmRpcError } from './error.ts'

export type WireTransaction = {
  transaction: Transaction
  wire: string
  /** Of the fee payer; `undefined` while it has not signed. */
  signature: string | undefined
  isFullySigned: boolean
  /** Identifies the transaction even before it is fully signed. */
  messageHash: string
  blockhash: string
  addresses: readonly Address[]
  writable: readonly Address[]
}

const SIGNATURE_BYTES = 64

/** Base64 in. Accounts reached through lookup tables are left out: this chain has no tables. */
export function parseWireTransaction(wire: string): WireTransaction {
  try {
    const transaction = getTransactionDecoder().decode(Buffer.from(wire, 'base64'))
    const { lifetimeToken, staticAccounts, header } = getCompiledTransactionMessageDecoder().decode(
      transaction.messageBytes,
    )
    const writableSigners = header.numSignerAccounts - header.numReadonlySignerAccounts
    const writableEnd = staticAccounts.length - header.numReadonlyNonSignerAccounts
    const signatures = Object.values(transaction.signatures)
    const first = signatures[0]
    return {
      transaction,
      wire,
      signature: first ? base58.encode(new Uint8Array(first)) : undefined,
      isFullySigned: signatures.every((each) => each !== null),
      messageHash: createHash('sha256').update(new Uint8Array(transaction.messageBytes)).digest('hex'),
      blockhash: lifetimeToken,
      addresses: staticAccounts,
      writable: staticAccounts.filter((_, index) =>
        index < header.numSignerAccounts ? index < writableSigners : index < writableEnd,
      ),
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SvmRpcError(RPC_ERRORS.invalidParams, `failed to deserialize transaction: ${reason}`)
  }
}

/** Fills missing signatures with zeros, for a simulation that does not check them. */
export function withEmptySignatures(transaction: Transaction): Transaction {
  const signatures = Object.entries(transaction.signatures).map(([signer, signature]) => [
    signer,
    signature ?? new Uint8Array(SIGNATURE_BYTES),
  ])
  return { ...transaction, signatures: Object.fromEntries(signatures) }
}
