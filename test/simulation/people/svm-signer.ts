import { createHash, type KeyObject, sign } from 'node:crypto'
import { base58 } from '@scure/base'
import type { Requirement } from '../../../src/catalog/payment-terms.ts'
import { privateKeyOf } from '../../../src/core/signing/ed25519.ts'
import { createTokenAccountOf, TOKEN_PROGRAM } from '../../../src/payments/read/svm/svm-address.ts'
import { PAY_TO, requirementFor } from './authorization.ts'
import { remember } from './evm-signer.ts'

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
const V0 = 0x80
const SIGNATURE_BYTES = 64
/** Fee payer and payer sign; the payer, the mint and two programs are only read. */
const HEADER = [V0, 2, 1, 3]
const SET_LIMIT = [2, 0x20, 0x4e, 0, 0]
const SET_PRICE = [3, 1, 0, 0, 0, 0, 0, 0, 0]
const TRANSFER_CHECKED = 12
const DECIMALS = 6

const bytesOf = (name: string) => createHash('sha256').update(name).digest()
const accountOf = (name: string) => base58.encode(bytesOf(name))
/** Of a facilitator in the story. */
export const feePayerNamed = (name: string): string => accountOf(`fees of ${name}`)

type Signer = { key: KeyObject; address: string }
const signers = new Map<string, Signer>()

export const svmAddressOf = (name: string): string => signerOf(name).address

function signerOf(name: string): Signer {
  const known = signers.get(name)
  if (known) return known
  const key = privateKeyOf(bytesOf(name))
  const jwk = key.export({ format: 'jwk' })
  const made = { key, address: base58.encode(Buffer.from(jwk.x ?? '', 'base64url')) }
  signers.set(name, made)
  return made
}

/** Before any schedule: nothing in one may wait for what is not on its timeline. */
const destination = base58.decode(
  await createTokenAccountOf()(PAY_TO.svm, requirementFor(1, feePayerNamed('a')).asset),
)

export type SvmPayment = { transaction: string; hash: string }

const payments = new Map<string, SvmPayment>()

export function signSvm(name: string, nonce: string, requirement: Requirement): SvmPayment {
  const { amount, extra } = requirement
  return remember(payments, `${name} ${nonce} ${amount} ${extra.feePayer}`, () =>
    signTransfer(name, nonce, requirement),
  )
}

/** The transaction of the exact scheme, by hand: limit, price, transfer. The nonce takes the place of the blockhash. */
function signTransfer(name: string, nonce: string, requirement: Requirement): SvmPayment {
  const { key, address } = signerOf(name)
  const accounts = [
    base58.decode(requirement.extra.feePayer ?? ''),
    base58.decode(address),
    bytesOf(`token account of ${name}`),
    destination,
    ...[requirement.asset, TOKEN_PROGRAM, COMPUTE_BUDGET].map((each) => base58.decode(each)),
  ]
  const amount = Buffer.alloc(8)
  amount.writeBigUInt64LE(BigInt(requirement.amount))
  const message = Buffer.concat([
    Buffer.from([...HEADER, accounts.length]),
    ...accounts,
    bytesOf(`blockhash ${nonce}`),
    Buffer.from([3]),
    instruction(6, [], SET_LIMIT),
    instruction(6, [], SET_PRICE),
    instruction(5, [2, 4, 3, 1], [TRANSFER_CHECKED, ...amount, DECIMALS]),
    Buffer.from([0]),
  ])
  return wireOf(message, sign(null, message, key))
}

function wireOf(message: Buffer, signature: Buffer): SvmPayment {
  const wire = Buffer.concat([Buffer.from([2]), Buffer.alloc(SIGNATURE_BYTES), signature, message])
  return {
    transaction: wire.toString('base64'),
    hash: createHash('sha256').update(message).digest('hex'),
  }
}

const instruction = (program: number, accounts: readonly number[], data: readonly number[]) =>
  Buffer.from([program, accounts.length, ...accounts, data.length, ...data])
