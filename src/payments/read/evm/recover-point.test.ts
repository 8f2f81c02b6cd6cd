import fc from 'fast-check'
import { signRecoverable } from 'tiny-secp256k1'
import { expect, test } from 'vitest'
import { isMissing } from '../../../testing/missing.ts'
import { findNativeRecover, recoverInWasm, recoverPoint } from './recover-point.ts'

const native = findNativeRecover()
const isNativeMissing = isMissing('nativeSecp256k1', native !== undefined)
const bytes = (count: number) => fc.uint8Array({ minLength: count, maxLength: count })
const recovery = fc.constantFrom(0 as const, 1 as const)
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
/** Zero, one, and the last ones in and out of range. */
const edges = ['00', '01', ORDER, ORDER.replace(/41$/, '40'), ORDER.replace(/41$/, '42'), 'ff'.repeat(32)]
const edge = fc.constantFrom(...edges.map((hex) => Buffer.from(hex.padStart(64, '0'), 'hex')))
const half = fc.oneof(edge, bytes(32))

// Nothing to compare where there is no build for this machine; the other tests then run on WebAssembly alone.
test.skipIf(isNativeMissing)('the native library and WebAssembly agree about any 64 bytes', () => {
  fc.assert(
    fc.property(half, half, half, recovery, (hash, r, s, id) => {
      const rs = Buffer.concat([r, s])
      expect(asHex(native?.(hash, rs, id))).toBe(asHex(recoverInWasm(hash, rs, id)))
    }),
    { numRuns: 500 },
  )
})

test.skipIf(isNativeMissing)('and about real signatures, whichever of the two keys is asked for', () => {
  fc.assert(
    fc.property(bytes(32), bytes(32), (hash, seed) => {
      const key = Buffer.from(seed)
      key[0] = 1
      const { signature, recoveryId } = signRecoverable(hash, key)
      const found = ([0, 1] as const).map((id) => asHex(native?.(hash, signature, id)))
      expect(found).toEqual(([0, 1] as const).map((id) => asHex(recoverInWasm(hash, signature, id))))
      expect(found[recoveryId]).toBeDefined()
    }),
  )
})

test('the native one is used where there is one', () => {
  const { signature, recoveryId } = signRecoverable(Buffer.alloc(32, 7), Buffer.alloc(32, 1))
  expect(recoverPoint === recoverInWasm).toBe(native === undefined)
  expect(recoverPoint(Buffer.alloc(32, 7), signature, recoveryId as 0 | 1)).toHaveLength(65)
})

const asHex = (point: Uint8Array | undefined) => point && Buffer.from(point).toString('hex')
