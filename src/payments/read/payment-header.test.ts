import { expect, test } from 'vitest'
import { ServiceError } from '../../core/service-error.ts'
import { toHeader } from '../../testing/payments/sample-evm.ts'
import { pickPaymentHeader } from './payment-header.ts'

const payload = { signature: '0x12', authorization: { from: '0x1', nonce: '0x2' } }
const v2 = toHeader({ x402Version: 2, accepted: {}, payload })
const v1 = toHeader({
  payload: { authorization: { nonce: '0x2', from: '0x1' }, signature: '0x12' },
  network: 'base',
  x402Version: 1,
})
const other = toHeader({ x402Version: 1, payload: { ...payload, signature: '0x13' } })
const pick = (signature: string | string[] | undefined, payment?: string | string[]) =>
  pickPaymentHeader({ headers: { 'payment-signature': signature, 'x-payment': payment } })

test('each header has its version, and none is none', () => {
  expect(pick(undefined)).toBeUndefined()
  expect(pick(v2)).toEqual({ version: 2, text: v2 })
  expect(pick(undefined, v1)).toEqual({ version: 1, text: v1 })
})

test('one payment in both headers is one payment, and v2 wins', () => {
  expect(pick(v2, v1)).toEqual({ version: 2, text: v2 })
  expect(pick(v2, v2)).toEqual({ version: 2, text: v2 })
})

test.each([
  ['another signature', v2, other],
  ['a broken one', v2, 'garbage'],
  ['an empty one', v2, ''],
  ['two broken ones', 'garbage', 'other garbage'],
  ['no payload', toHeader({ a: 1 }), toHeader({ b: 1 })],
])('different payments are refused: %s', (_, signature, payment) => {
  expect(() => pick(signature, payment)).toThrow(ServiceError)
  expect(() => pick(signature, payment)).toThrow(expect.objectContaining({ code: 'payment_headers_differ' }))
})

test('two lines of one header are no base64, even equal ones', () => {
  expect(pick([v2, v2])?.text).toContain(',')
  expect(pick([v2])).toEqual({ version: 2, text: v2 })
})
