import { expect, test } from 'vitest'
import {
  cheap,
  NOW_MS,
  requirementOf,
  resourceUrl,
  signAuthorization,
  toHeader,
} from '../../testing/payments/sample-evm.ts'
import { explainRefusal } from './explain-refusal.ts'

const ours = requirementOf(cheap, 'eip155')
const good = {
  x402Version: 2,
  resource: { url: resourceUrl },
  accepted: ours,
  payload: await signAuthorization(ours),
}
const v1 = { x402Version: 1, scheme: 'exact', network: 'base', payload: good.payload }
const { payload } = good
const signed = (changes: object) => ({
  ...good,
  payload: { ...payload, authorization: { ...payload.authorization, ...changes } },
})
const named = (info: unknown) => ({ ...good, extensions: { 'payment-identifier': { info } } })
const why = (payment: unknown, version: 1 | 2 = 2) =>
  explainRefusal({ version, text: toHeader(payment) }, 'malformed_payment', NOW_MS)

test.each<[string, unknown]>([
  ['x402Version must be the number 2', { ...good, x402Version: '2' }],
  ['scheme, network and paymentRequirements', { ...good, network: 'base' }],
  ['accepted must be an entry of accepts', { ...good, accepted: { ...ours, amount: 1 } }],
  ['payload must be an object', { ...good, payload: 'signed' }],
  ['resource must be an object', { ...good, resource: resourceUrl }],
  ['extensions must be an object', { ...good, extensions: 7 }],
  ['info.id must have 16 to 128 letters', named({ id: 'short' })],
  ['["payment-identifier"] must be an object with info', named(undefined)],
  ['exactly signature and authorization', { ...good, payload: { ...payload, memo: 'hello' } }],
  ['payload.authorization must be an object with exactly', signed({ memo: 'hello' })],
  ['payload.signature must be 0x', { ...good, payload: { ...payload, signature: '0x' } }],
  ['payload.signature must be 0x', { ...good, payload: { ...payload, signature: 'hello' } }],
  ['.from must be 0x and 40 hex digits', signed({ from: '0x12' })],
  ['.to must be 0x and 40 hex digits', signed({ to: '0x12' })],
  ['.value must be the amount as a text', signed({ value: 1000 })],
  ['.value must be the amount as a text', signed({ value: '0x3e8' })],
  ['.value must be the amount as a text', signed({ value: '01000' })],
  ['.validAfter must be seconds', signed({ validAfter: 0 })],
  ['.validBefore must be seconds', signed({ validBefore: '1767614700000' })],
  ['.nonce must be 0x and 64 hex digits', signed({ nonce: '0x5a' })],
  ['exactly transaction', { ...good, accepted: requirementOf(cheap, 'solana') }],
])('%s', (said, payment) => {
  expect(why(payment)).toContain(said)
})

test.each<[string, unknown]>([
  ['x402Version must be the number 2 in PAYMENT-SIGNATURE, and 1', { ...v1, x402Version: 2 }],
  ['accepted and resource', { ...v1, accepted: ours }],
  ['scheme must be a text', { ...v1, scheme: 7 }],
  ['network must be a text', { ...v1, network: undefined }],
  ['payload must be an object', { ...v1, payload: undefined }],
  ['extensions must be an object', { ...v1, extensions: 'none' }],
  ['info.id must have 16', { ...v1, extensions: { 'payment-identifier': { info: { id: 'short' } } } }],
  ['exactly transaction', { ...v1, network: 'solana' }],
])('in version 1: %s', (said, payment) => {
  expect(why(payment, 1)).toContain(said)
})

test.each([
  ['standard base64', Buffer.from('{"x":"~~~???>>>"}').toString('base64url')],
  ['standard base64', '{"x402Version":2}'],
  ['standard base64', ''],
  ['one JSON object', Buffer.from('not json').toString('base64')],
  ['one JSON object', Buffer.from('{"a":1,"a":2}').toString('base64')],
  ['one JSON object', 'A'.repeat(12_288)],
  ['more than 12,288 characters', 'A'.repeat(12_292)],
])('of the header itself: %s', (said, text) => {
  expect(explainRefusal({ version: 2, text }, 'malformed_payment', NOW_MS)).toContain(said)
})

test('an authorization that lives too long is told how long one may live', () => {
  const until = (aheadS: number, more: object = {}) =>
    explainRefusal(
      {
        version: 2,
        text: toHeader({ ...signed({ validBefore: String(NOW_MS / 1000 + aheadS) }), ...more }),
      },
      'wrong_terms',
      NOW_MS,
    )
  expect(until(31_536_000)).toContain('validBefore may be at most 300 s ahead of now')
  expect(until(361)).toBeDefined()
  expect(until(360)).toBeUndefined()
  expect(until(361, { payload: {} })).toBeUndefined()
})

test('what its reason says needs no more words', () => {
  expect(explainRefusal({ version: 2, text: toHeader(good) }, 'expired', NOW_MS)).toBeUndefined()
})
