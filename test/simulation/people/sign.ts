import type { Hex } from 'viem'
import type { Requirement } from '../../../src/catalog/payment-terms.ts'
import { V1_NAMES } from '../../../src/payments/challenge/terms.ts'
import type { Authorization as Eip3009 } from '../../../src/payments/read/evm/evm-authorization.ts'
import type { PaymentHeader } from '../../../src/payments/read/read-payment.ts'
import { type Authorization, EVM, requirementFor, SVM } from './authorization.ts'
import { contractWalletOf, signAsContract } from './contract-wallets.ts'
import { evmAddressOf, signEvm } from './evm-signer.ts'
import { signSvm, svmAddressOf } from './svm-signer.ts'

export type ToSign = {
  /** Of whoever signs, in the story. */
  name: string
  nonce: number
  value: number
  diesAtMs: number
  feePayer?: string | undefined
  identifier?: string | undefined
  version?: 1 | 2
  /** Signed by a contract instead of a key. */
  isContract?: boolean
}

export function signPayment(wanted: ToSign): Authorization {
  const { value, diesAtMs, feePayer, identifier, version = 2 } = wanted
  const requirement = requirementFor(value, feePayer)
  const signed = feePayer === undefined ? onEvm(wanted, requirement) : onSvm(wanted, requirement)
  const header = toHeader(signed.payload, requirement, { version, identifier })
  return { ...signed, value, diesAtMs, feePayer, identifier, to: requirement.payTo, isGenuine: true, header }
}

type Signed = Pick<Authorization, 'key' | 'network' | 'payer' | 'nonce' | 'payload'>

function onEvm({ name, nonce, diesAtMs, isContract }: ToSign, requirement: Requirement): Signed {
  const authorization: Eip3009 = {
    from: isContract ? contractWalletOf(name) : evmAddressOf(name),
    to: requirement.payTo as Hex,
    value: requirement.amount,
    validAfter: '0',
    validBefore: String(diesAtMs / 1000),
    nonce: `0x${nonce.toString(16).padStart(64, '0')}`,
  }
  const signature = (isContract ? signAsContract : signEvm)(name, authorization, requirement)
  return {
    key: `${EVM}/${requirement.asset}/${authorization.from}/${authorization.nonce}`.toLowerCase(),
    network: EVM,
    payer: authorization.from,
    nonce: authorization.nonce,
    payload: { signature, authorization },
  }
}

function onSvm({ name, nonce }: ToSign, requirement: Requirement): Signed {
  const { transaction, hash } = signSvm(name, String(nonce), requirement)
  return {
    key: `${SVM}/${hash}`,
    network: SVM,
    payer: svmAddressOf(name),
    nonce: String(nonce),
    payload: { transaction },
  }
}

export function toHeader(
  payload: Record<string, unknown>,
  accepted: Requirement,
  { version, identifier }: { version: 1 | 2; identifier: string | undefined },
): PaymentHeader {
  const extensions =
    identifier === undefined ? {} : { extensions: { 'payment-identifier': { info: { id: identifier } } } }
  const { scheme, network } = accepted
  const json =
    version === 2
      ? { x402Version: 2, accepted, payload, ...extensions }
      : { x402Version: 1, scheme, network: V1_NAMES.get(network), payload, ...extensions }
  return { version, text: toBase64(JSON.stringify(json)) }
}

export const toBase64 = (text: string): string => Buffer.from(text).toString('base64')
