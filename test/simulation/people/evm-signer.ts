import { pointFromScalar, signRecoverable } from 'tiny-secp256k1'
import { bytesToHex, type Hex } from 'viem'
import type { Requirement } from '../../../src/catalog/payment-terms.ts'
import type { Authorization } from '../../../src/payments/read/evm/evm-authorization.ts'
import { createHashAuthorization } from '../../../src/payments/read/evm/evm-digest.ts'
import { findSigner, type Recovered } from '../../../src/payments/read/evm/evm-signature.ts'
import { keccak } from '../../../src/payments/read/evm/keccak.ts'
import type { FindSigner } from '../../../src/payments/read/evm/signers/signers.ts'

/** Curve arithmetic takes longer than the rest of a schedule; the same few payments come again in most of them. */
const REMEMBERED = 50_000
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const ORDER = 2n * HALF_ORDER + 1n
const KEY_BYTES = 32
const ADDRESS_FROM = 12

const hashOf = createHashAuthorization()
const addresses = new Map<string, Hex>()
const signatures = new Map<string, Hex>()
const recovered = new Map<string, Recovered | undefined>()

/** Of a name in the story: the same in every schedule. */
export function evmAddressOf(name: string): Hex {
  return remember(addresses, name, () => {
    const point = pointFromScalar(keyOf(name), false)
    if (!point) throw new Error('no key')
    return bytesToHex(keccak(point.subarray(1)).subarray(ADDRESS_FROM))
  })
}

const keyOf = (name: string) => Uint8Array.from(keccak(Buffer.from(name.padEnd(KEY_BYTES))))

export const evmDigestOf = (authorization: Authorization, requirement: Requirement): Hex =>
  bytesToHex(hashOf(authorization, requirement))

/** RFC 6979: the same message always has the same signature. */
export function signEvm(name: string, authorization: Authorization, requirement: Requirement): Hex {
  const hash = hashOf(authorization, requirement)
  return remember<Hex>(signatures, `${name} ${Buffer.from(hash).toString('hex')}`, () => {
    const { signature, recoveryId } = signRecoverable(hash, keyOf(name))
    return `0x${Buffer.from(signature).toString('hex')}${recoveryId === 0 ? '1b' : '1c'}`
  })
}

/** The other signature for the same message and key, which the token does not take. */
export function withHighS(signature: Hex): Hex {
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.endsWith('1b') ? '1c' : '1b'
  return `${signature.slice(0, 66) as Hex}${s.toString(16).padStart(64, '0')}${v}`
}

/** The real recovery, once for each signature. */
export const findSignerOnce: FindSigner = (hash, signature) =>
  remember(recovered, `${Buffer.from(hash).toString('latin1')}${signature}`, () =>
    findSigner(hash, signature),
  )

export function remember<T>(known: Map<string, T>, name: string, make: () => T): T {
  if (known.has(name)) return known.get(name) as T
  const made = make()
  if (known.size >= REMEMBERED) known.clear()
  known.set(name, made)
  return made
}
