import { createRequire } from 'node:module'
import { recover } from 'tiny-secp256k1'

/** The public key behind a signature, 65 bytes with its leading 4; undefined where there is none. `rs` has 64 bytes. */
export type RecoverPoint = (hash: Uint8Array, rs: Uint8Array, recovery: 0 | 1) => Uint8Array | undefined

type Binding = {
  ecdsaRecover(rs: Uint8Array, recovery: number, hash: Uint8Array, isCompressed: boolean): Uint8Array
}

/** Runs everywhere. */
export const recoverInWasm: RecoverPoint = (hash, rs, recovery) =>
  unlessThrown(() => recover(hash, rs, recovery, false) ?? undefined)

/**
 * The same library compiled for this machine, six times as fast; undefined where no such build is installed. Loaded by
 * its file, because the package's entry would silently fall back to JavaScript.
 */
export function findNativeRecover(): RecoverPoint | undefined {
  const binding = unlessThrown(() => createRequire(import.meta.url)('secp256k1/bindings.js') as Binding)
  return (
    binding && ((hash, rs, recovery) => unlessThrown(() => binding.ecdsaRecover(rs, recovery, hash, false)))
  )
}

export const recoverPoint: RecoverPoint = findNativeRecover() ?? recoverInWasm

/** Both throw for numbers out of range and for an r that is on no point of the curve, which is half of all. */
function unlessThrown<T>(step: () => T): T | undefined {
  try {
    return step()
  } catch {
    return undefined
  }
}
