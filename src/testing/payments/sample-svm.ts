import {
  type AccountMeta,
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransactionMessageWithSigners,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type TransactionSigner,
} from '@solana/kit'
import type { Requirement } from '../../catalog/payment-terms.ts'
import { createTokenAccountOf, TOKEN_PROGRAM } from '../../payments/read/svm/svm-address.ts'

export const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
export const tokenAccountOf = createTokenAccountOf()
export const payerSigner = (byte = 7): Promise<KeyPairSigner> =>
  createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(byte))

/** What a test may change before the payer signs. */
export type SvmChanges = {
  mint?: string
  destination?: string
  amount?: bigint
  decimals?: number
  feePayer?: string
  priceMicroLamports?: bigint
  tokenProgram?: string
  blockhash?: string
  extra?: readonly Instruction[]
  cosigner?: TransactionSigner
  edit?: (instructions: Instruction[]) => Instruction[]
}

/** A payment as the scheme lays it out, in base64. */
export async function signTransfer(requirement: Requirement, changes: SvmChanges = {}): Promise<string> {
  const payer = await payerSigner()
  const { asset, payTo } = requirement
  const mint = changes.mint ?? asset
  const destination = changes.destination ?? (await tokenAccountOf(payTo, asset))
  const source = await tokenAccountOf(payer.address, asset)
  const accounts = [
    { address: address(source), role: AccountRole.WRITABLE },
    { address: address(mint), role: AccountRole.READONLY },
    { address: address(destination), role: AccountRole.WRITABLE },
    signerMeta(payer),
    ...(changes.cosigner ? [signerMeta(changes.cosigner)] : []),
  ]
  const { amount = BigInt(requirement.amount), decimals = 6, priceMicroLamports = 1n } = changes
  const instructions: Instruction[] = [
    { programAddress: address(COMPUTE_BUDGET), data: Uint8Array.from([2, 0x20, 0x4e, 0, 0]) },
    { programAddress: address(COMPUTE_BUDGET), data: u64(3, priceMicroLamports) },
    {
      programAddress: address(changes.tokenProgram ?? TOKEN_PROGRAM),
      accounts,
      data: Uint8Array.from([...u64(12, amount), decimals]),
    },
    ...(changes.extra ?? [memo('0123456789abcdef')]),
  ]
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (tx) => setTransactionMessageFeePayer(address(changes.feePayer ?? requirement.extra.feePayer ?? ''), tx),
    (tx) => appendTransactionMessageInstructions(changes.edit?.(instructions) ?? instructions, tx),
    (tx) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: (changes.blockhash ?? requirement.asset) as Blockhash, lastValidBlockHeight: 1n },
        tx,
      ),
  )
  return getBase64EncodedWireTransaction(await partiallySignTransactionMessageWithSigners(message))
}

export function memo(text: string): Instruction {
  return { programAddress: address(MEMO), data: new TextEncoder().encode(text) }
}

export function reads(account: string): AccountMeta[] {
  return [{ address: address(account), role: AccountRole.READONLY }]
}

function signerMeta(signer: TransactionSigner) {
  return { address: signer.address, role: AccountRole.READONLY_SIGNER, signer }
}

function u64(kind: number, value: bigint): Uint8Array {
  const bytes = Buffer.alloc(9)
  bytes[0] = kind
  bytes.writeBigUInt64LE(value, 1)
  return bytes
}
