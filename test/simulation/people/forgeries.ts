import type { Hex } from 'viem'
import type { Seeded } from '../../../src/testing/seeded.ts'
import { PRICES } from '../seller/products.ts'
import { type Authorization, requirementFor } from './authorization.ts'
import { evmAddressOf, signEvm, withHighS } from './evm-signer.ts'
import { toHeader } from './sign.ts'

type Fields = { from: Hex; to: Hex; value: string; validAfter: string; validBefore: string; nonce: Hex }
type Signed = { signature: Hex; authorization: Fields }
/** The terms that it claims to have accepted go with it. */
type Forgery = { signed: Signed; value: number }

const LATER_S = 60

/** The same payment with something changed that its signature does not cover any more, or another signature. */
export function tamper(random: Seeded, original: Authorization): Authorization {
  const forge = random.pick(WAYS)
  const { signed, value } = forge(original.payload as Signed, original)
  const { from, nonce, validBefore } = signed.authorization
  const requirement = requirementFor(value, undefined)
  const header = toHeader(signed, requirement, { version: original.header.version, identifier: undefined })
  return {
    ...original,
    value,
    nonce,
    payer: from,
    diesAtMs: Number(validBefore) * 1000,
    key: `${original.network}/${requirement.asset}/${from}/${nonce}`.toLowerCase(),
    // With nothing but the terms changed it is its owner's payment still: what it bought may be fetched with it.
    isGenuine: JSON.stringify(signed) === JSON.stringify(original.payload),
    payload: signed,
    header,
  }
}

type Way = (signed: Signed, original: Authorization) => Forgery
const changed =
  (change: (fields: Fields) => Partial<Fields>, value?: number): Way =>
  ({ signature, authorization }, original) => ({
    signed: { signature, authorization: { ...authorization, ...change(authorization) } },
    value: value ?? original.value,
  })

const WAYS: readonly [Way, ...Way[]] = [
  changed(() => ({ value: String(PRICES.dear) }), PRICES.dear),
  // The price that was signed, with terms of another one.
  changed(() => ({}), PRICES.dear),
  changed(({ validBefore }) => ({ validBefore: String(Number(validBefore) + LATER_S) })),
  changed(({ nonce }) => ({ nonce: `0xee${nonce.slice(4)}` })),
  // Money that somebody else has.
  changed(() => ({ from: evmAddressOf('buyer0') })),
  changed(() => ({ to: evmAddressOf('thief') })),
  ({ signature, authorization }, { value }) => ({
    signed: { signature: withHighS(signature), authorization },
    value,
  }),
  // A good signature of somebody else.
  ({ authorization }, { value }) => ({
    signed: {
      signature: signEvm('stranger', authorization, requirementFor(value, undefined)),
      authorization,
    },
    value,
  }),
]
