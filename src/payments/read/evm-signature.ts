import { recover } from 'tiny-secp256k1'
import { bytesToHex, keccak256 } from 'viem'
import type { Hex } from './evm-authorization.ts'

/** Half the order of secp256k1: of the two signatures (r, s) and (r, n-s) the token takes the one below. */
const HALF_N = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0'
/** The last byte; a signature of any other length has not one byte here. */
const RECOVERY = new Map<string, 0 | 1>([
  ['00', 0],
  ['01', 1],
  ['1b', 0],
  ['1c', 1],
])

export type Recovered = { address: Hex; isLowS: boolean }

/** Whose key made this 65-byte signature; undefined when it is no such signature. All hex is in lower case. */
export function findSigner(hash: Uint8Array, signature: Hex): Recovered | undefined {
  const recovery = RECOVERY.get(signature.slice(130))
  if (recovery === undefined) return undefined
  const s = signature.slice(66, 130)
  const point = findPoint(hash, Buffer.from(signature.slice(2, 130), 'hex'), recovery)
  if (!point) return undefined
  const address = `0x${keccak256(bytesToHex(point.subarray(1))).slice(-40)}` as const
  // Digits of equal length and case compare like the numbers they are.
  return { address, isLowS: s <= HALF_N }
}

/** The library throws for numbers out of range and for an r that no point of the curve has: half of all. */
function findPoint(hash: Uint8Array, rs: Uint8Array, recovery: 0 | 1): Uint8Array | undefined {
  try {
    return recover(hash, rs, recovery, false) ?? undefined
  } catch {
    return undefined
  }
}

/** Contracts know v as 27 and 28 only. */
export function withContractV(signature: Hex): Hex {
  const recovery = RECOVERY.get(signature.slice(130))
  return recovery === undefined ? signature : `0x${signature.slice(2, 130)}${recovery === 0 ? '1b' : '1c'}`
}
