import { createHash, randomBytes } from 'node:crypto'
import { signRecoverable } from 'tiny-secp256k1'
import { privateKeyToAddress } from 'viem/accounts'
import type { Requirement } from '../../src/catalog/payment-terms.ts'
import type { Authorization, Hex } from '../../src/payments/read/evm/evm-authorization.ts'
import { createHashAuthorization } from '../../src/payments/read/evm/evm-digest.ts'
import type { Envelope } from '../harness/offer.ts'

export type Payer = { key: Buffer; address: Hex }

/** The same ones under the same name, every time. */
export function makePayers(name: string, count: number): readonly Payer[] {
  return Array.from({ length: count }, (_, index) => {
    const key = createHash('sha256').update(`${name} ${index}`).digest()
    return { key, address: privateKeyToAddress(`0x${key.toString('hex')}`) }
  })
}

/** Several, as customers are; each holds play money on the chains of the benchmark. */
const payers = makePayers('benchmark payer', 16)
export const payerAddresses: readonly Hex[] = payers.map(({ address }) => address)

/** Stock clients backdate by this much, so that a chain whose clock is behind takes the payment. */
const BACKDATED_S = 600
const NONCE_BYTES = 32
const FIRST_V = 27

/** A `PAYMENT-SIGNATURE` that was never used before. */
export type SignPayment = () => string

/**
 * Payments as the stock client writes them, resource and extensions of the challenge included. Signed with the fast
 * library, because the stock one takes a millisecond each.
 */
export function createSignPayment(
  { resource, accepts, extensions }: Envelope,
  from: readonly Payer[] = payers,
): SignPayment {
  const accepted = accepts.find(({ network }) => network.startsWith('eip155:'))
  if (!accepted) throw new Error('no payment on an EVM chain is accepted')
  const hashOf = createHashAuthorization()
  const rest = JSON.stringify({ extensions, resource, accepted }).slice(1)
  let turn = 0
  return () => {
    const payer = from[turn++ % from.length] as Payer
    const authorization = authorize(payer.address, accepted)
    const requirement = {
      ...accepted,
      scheme: 'exact',
      extra: accepted.extra as Requirement['extra'],
    } as const
    const { signature, recoveryId } = signRecoverable(hashOf(authorization, requirement), payer.key)
    const v = (FIRST_V + recoveryId).toString(16)
    const payload = { authorization, signature: `0x${Buffer.from(signature).toString('hex')}${v}` }
    return Buffer.from(`{"x402Version":2,"payload":${JSON.stringify(payload)},${rest}`).toString('base64')
  }
}

function authorize(
  from: Hex,
  { payTo, amount, maxTimeoutSeconds }: Envelope['accepts'][number],
): Authorization {
  const nowS = Math.floor(Date.now() / 1000)
  return {
    from,
    to: payTo as Hex,
    value: amount,
    validAfter: String(nowS - BACKDATED_S),
    validBefore: String(nowS + maxTimeoutSeconds),
    nonce: `0x${randomBytes(NONCE_BYTES).toString('hex')}`,
  }
}
