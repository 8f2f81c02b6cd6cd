import type { Hex } from './evm-authorization.ts'
import { keccak } from './keccak.ts'
import { recoverPoint } from './recover-point.ts'

/** Half the order of secp256k1: of the two signatures (r, s) and (r, n-s) the token accepts the one with the lower s. */
const HALF_N = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0'
/** By the last byte; a signature of any length but 65 bytes has no match. */
const RECOVERY = new Map<string, 0 | 1>([
  ['00', 0],
  ['01', 1],
  ['1b', 0],
  ['1c', 1],
])

/** An address is the hash of its public key without these first bytes. */
const ADDRESS_FROM = 12

export type Recovered = { address: Hex; isLowS: boolean }

/** Whose key made this 65-byte signature; undefined where it is not one. All hex is in lower case. */
export function findSigner(hash: Uint8Array, signature: Hex): Recovered | undefined {
  const read = readSignature(signature)
  const point = read && recoverPoint(hash, read.rs, read.recovery)
  return point && toRecovered(addressOf(point), signature)
}

/** Undefined where it is no signature of a key. */
export function readSignature(signature: Hex): { rs: Uint8Array; recovery: 0 | 1 } | undefined {
  const recovery = RECOVERY.get(signature.slice(130))
  return recovery === undefined ? undefined : { rs: Buffer.from(signature.slice(2, 130), 'hex'), recovery }
}

/** Of a public key of 65 bytes. */
export function addressOf(point: Uint8Array): Uint8Array {
  return keccak(point.subarray(1)).subarray(ADDRESS_FROM)
}

export function toRecovered(address: Uint8Array, signature: Hex): Recovered {
  const { buffer, byteOffset, byteLength } = address
  const hex = Buffer.from(buffer, byteOffset, byteLength).toString('hex')
  // Hex texts of equal length and case compare like numbers.
  return { address: `0x${hex}`, isLowS: signature.slice(66, 130) <= HALF_N }
}

/** Contracts accept v as 27 or 28 only. */
export function withContractV(signature: Hex): Hex {
  const recovery = RECOVERY.get(signature.slice(130))
  return recovery === undefined ? signature : `0x${signature.slice(2, 130)}${recovery === 0 ? '1b' : '1c'}`
}
