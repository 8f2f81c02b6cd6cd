import fc from 'fast-check'
import { bytesToHex, hashTypedData } from 'viem'
import { expect, test } from 'vitest'
import { cheap, domainOf, requirementOf } from '../../../testing/payments/sample-evm.ts'
import { AUTHORIZATION_TYPES } from './authorization-types.ts'
import type { Hex } from './evm-authorization.ts'
import { createHashAuthorization } from './evm-digest.ts'

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array) => bytesToHex(array))
const uint = fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }).map(String)

test('it is the EIP-712 hash', () => {
  const ours = requirementOf(cheap, 'eip155')
  const hashOf = createHashAuthorization()
  const authorization = fc.record({
    from: hex(20),
    to: hex(20),
    value: uint,
    validAfter: uint,
    validBefore: uint,
    nonce: hex(32),
  })
  fc.assert(
    fc.property(
      authorization,
      fc.constantFrom('eip155:8453', 'eip155:1'),
      fc.string(),
      (message, network, name) => {
        const requirement = { ...ours, network, extra: { name, version: '2' } }
        const expected = hashTypedData({
          domain: domainOf(requirement),
          types: AUTHORIZATION_TYPES,
          primaryType: 'TransferWithAuthorization',
          message: {
            ...message,
            from: message.from.toLowerCase() as Hex,
            value: BigInt(message.value),
            validAfter: BigInt(message.validAfter),
            validBefore: BigInt(message.validBefore),
          },
        })
        expect(bytesToHex(hashOf(message, requirement))).toBe(expected)
      },
    ),
  )
})
