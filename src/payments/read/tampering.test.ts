import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { PaidProduct } from '../../catalog/catalog.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import {
  account,
  BASE_URL,
  cheap,
  type Domain,
  dear,
  NOW_MS,
  requirementOf,
  resourceUrl,
  signAuthorization,
  terms,
  toHeader,
} from '../../testing/payments/sample-evm.ts'
import type { RefusalReason } from '../gate/refusal.ts'
import type { Authorization, Hex } from './evm/evm-authorization.ts'
import { createReadPayment } from './read-payment.ts'

const signatures = { holds: async () => false }
const clock = createManualClock(NOW_MS)
const read = createReadPayment({ clock, terms, signatures, baseUrl: BASE_URL })
const ours = requirementOf(cheap, 'eip155')
const NOW_S = NOW_MS / 1000
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

async function verdict(text: string, version: 1 | 2 = 2, product: PaidProduct = cheap) {
  const result = await read({ version, text }, product, 'client')
  return 'reason' in result ? result.reason : (result.problem ?? 'accepted')
}
async function v2(changes: Partial<Authorization> = {}, domain: Partial<Domain> = {}) {
  const payload = await signAuthorization(ours, changes, domain)
  return { x402Version: 2, resource: { url: resourceUrl }, accepted: ours, payload }
}
async function v1() {
  return { x402Version: 1, scheme: 'exact', network: 'base', payload: await signAuthorization(ours) }
}

/** Each entry is a payment with one mistake and the reason we give for it. */
type Tampered = [name: string, reason: RefusalReason, header: () => Promise<string>]
const edited = (edit: (payment: Awaited<ReturnType<typeof v2>>) => unknown) => async () =>
  toHeader(edit(await v2()))
const terms2 = (name: string, reason: RefusalReason, changes: object): Tampered => [
  `accepted ${name}`,
  reason,
  edited((payment) => ({ ...payment, accepted: { ...ours, ...changes } })),
]
/** The mistake is signed too, so that only the field itself can be the reason. */
const signed = (name: string, reason: RefusalReason, changes: Partial<Authorization>): Tampered => [
  `signed ${name}`,
  reason,
  async () => toHeader(await v2(changes)),
]
/** Changed after signing: the shape or the signature must be wrong. */
const field = (name: string, reason: RefusalReason, changes: object): Tampered => [
  `field ${name}`,
  reason,
  edited((payment) => ({
    ...payment,
    payload: { ...payment.payload, authorization: { ...payment.payload.authorization, ...changes } },
  })),
]
const bytes = (name: string, reason: RefusalReason, make: (signature: string) => string): Tampered => [
  `signature ${name}`,
  reason,
  edited((payment) => ({
    ...payment,
    payload: { ...payment.payload, signature: make(payment.payload.signature) },
  })),
]
const foreign = (name: string, domain: Partial<Domain>): Tampered => [
  `signed for ${name}`,
  'invalid_signature',
  async () => toHeader(await v2({}, domain)),
]
const text = (name: string, make: (json: string) => string): Tampered => [
  `text ${name}`,
  'malformed_payment',
  async () => make(JSON.stringify(await v2())),
]
const b64 = (json: string) => Buffer.from(json).toString('base64')
/** Its base64 contains `+` and `/`, in which base64url differs, at any alignment. */
const STAINED = '~~~???>>>ÿÿÿÿ'
const malformed = 'malformed_payment'
const other = `0x${'12'.repeat(20)}` as Hex

const TAMPERED: Tampered[] = [
  terms2('amount + 1', 'wrong_amount', { amount: String(Number(ours.amount) + 1) }),
  terms2('amount - 1', 'wrong_amount', { amount: String(Number(ours.amount) - 1) }),
  terms2('amount as number', malformed, { amount: Number(ours.amount) }),
  terms2('asset', 'wrong_asset', { asset: other }),
  terms2('payTo', 'wrong_recipient', { payTo: other }),
  terms2('network by its v1 name', 'unsupported_network', { network: 'base' }),
  terms2('another network', 'unsupported_network', { network: 'eip155:84532' }),
  terms2('network in upper case', 'unsupported_network', { network: 'EIP155:8453' }),
  terms2('scheme', 'unsupported_network', { scheme: 'upto' }),
  terms2('scheme in upper case', 'unsupported_network', { scheme: 'Exact' }),
  terms2('timeout', 'wrong_terms', { maxTimeoutSeconds: 301 }),
  terms2('extra name', 'wrong_terms', { extra: { name: 'USDC', version: '2' } }),
  terms2('extra version as number', 'wrong_terms', { extra: { name: 'USD Coin', version: 2 } }),
  terms2('extra missing', 'wrong_terms', { extra: {} }),
  terms2('extra more', 'wrong_terms', { extra: { ...ours.extra, assetTransferMethod: 'permit2' } }),
  terms2('field of v1', malformed, { maxAmountRequired: ours.amount }),
  terms2('recentBlockhash', 'wrong_terms', { extra: { ...ours.extra, recentBlockhash: 'x' } }),
  signed('value + 1', 'wrong_amount', { value: String(Number(ours.amount) + 1) }),
  signed('value - 1', 'wrong_amount', { value: String(Number(ours.amount) - 1) }),
  signed('value 0', 'wrong_amount', { value: '0' }),
  signed('to', 'wrong_recipient', { to: other }),
  signed('validAfter in the future', 'not_yet_valid', { validAfter: String(NOW_S + 1) }),
  signed('validBefore past', 'expired', { validBefore: String(NOW_S - 1) }),
  signed('validBefore within the margin', 'expired', { validBefore: String(NOW_S + 6) }),
  signed('validBefore too far', 'wrong_terms', { validBefore: String(NOW_S + 361) }),
  field('value + 1', 'wrong_amount', { value: String(Number(ours.amount) + 1) }),
  field('nonce', 'invalid_signature', { nonce: `0x${'5b'.repeat(32)}` }),
  field('from', 'invalid_signature', { from: other }),
  field('validAfter', 'invalid_signature', { validAfter: '1' }),
  field('validBefore', 'invalid_signature', { validBefore: String(NOW_S + 299) }),
  field('nonce of 31 bytes', malformed, { nonce: `0x${'5a'.repeat(31)}` }),
  field('nonce of 33 bytes', malformed, { nonce: `0x${'5a'.repeat(33)}` }),
  field('nonce without 0x', malformed, { nonce: '5a'.repeat(32) }),
  field('value 1e3', malformed, { value: '1e3' }),
  field('value 0x3e8', malformed, { value: '0x3e8' }),
  field('value with a leading zero', malformed, { value: `0${ours.amount}` }),
  field('value negative', malformed, { value: `-${ours.amount}` }),
  field('value with a plus', malformed, { value: `+${ours.amount}` }),
  field('value with a point', malformed, { value: `${ours.amount}.0` }),
  field('value with a space', malformed, { value: `${ours.amount} ` }),
  field('value with a line end', malformed, { value: `${ours.amount}\n` }),
  field('value in other digits', malformed, { value: '１０００' }),
  field('value of 78 digits', malformed, { value: `1${'0'.repeat(77)}` }),
  field('value as a number', malformed, { value: Number(ours.amount) }),
  field('value as a list', malformed, { value: [ours.amount] }),
  field('value null', malformed, { value: null }),
  field('validBefore huge', malformed, { validBefore: '9'.repeat(70) }),
  field('validBefore in ms', malformed, { validBefore: `${NOW_MS + 300_000}` }),
  field('from too short', malformed, { from: '0x12' }),
  field('an extra field', malformed, { memo: 'hello' }),
  bytes('high s', 'invalid_signature', highS),
  bytes('of 64 bytes', 'invalid_signature', (signature) => signature.slice(0, -2)),
  bytes('of 66 bytes', 'invalid_signature', (signature) => `${signature}00`),
  bytes('with v 29', 'invalid_signature', (signature) => `${signature.slice(0, -2)}1d`),
  bytes('with the other v', 'invalid_signature', (signature) =>
    signature.endsWith('1b') ? `${signature.slice(0, -2)}1c` : `${signature.slice(0, -2)}1b`,
  ),
  bytes('of zeros', 'invalid_signature', () => `0x${'00'.repeat(65)}`),
  bytes('of ones', 'invalid_signature', () => `0x${'ff'.repeat(64)}1b`),
  bytes('empty', malformed, () => '0x'),
  bytes('of odd length', malformed, (signature) => signature.slice(0, -1)),
  foreign('another chain', { chainId: 1 }),
  foreign('another token', { verifyingContract: other }),
  foreign('another name', { name: 'USDC' }),
  foreign('another version', { version: '1' }),
  [
    'resource elsewhere',
    'wrong_terms',
    edited((p) => ({ ...p, resource: { url: 'https://evil.example/price/BTC' } })),
  ],
  [
    'resource of another path',
    'wrong_terms',
    edited((p) => ({ ...p, resource: { url: `${BASE_URL}/other` } })),
  ],
  [
    'resource with a user',
    'wrong_terms',
    edited((p) => ({ ...p, resource: { url: resourceUrl.replace('//', '//u@') } })),
  ],
  ['resource no URL', 'wrong_terms', edited((p) => ({ ...p, resource: { url: 'price/BTC' } }))],
  ['resource as text', malformed, edited((p) => ({ ...p, resource: resourceUrl }))],
  ['version 3', 'unsupported_version', edited((p) => ({ ...p, x402Version: 3 }))],
  ['version 0', 'unsupported_version', edited((p) => ({ ...p, x402Version: 0 }))],
  ['version as text', malformed, edited((p) => ({ ...p, x402Version: '2' }))],
  ['no version', malformed, edited(({ x402Version, ...p }) => p)],
  ['no accepted', malformed, edited(({ accepted, ...p }) => p)],
  ['no payload', malformed, edited(({ payload, ...p }) => p)],
  ['the scheme of v1 in v2', malformed, edited((p) => ({ ...p, scheme: 'exact' }))],
  ['the network of v1 in v2', malformed, edited((p) => ({ ...p, network: 'base' }))],
  ['v1 in the v2 header', malformed, async () => toHeader(await v1())],
  ['a list', malformed, edited((p) => [p])],
  ['a text', malformed, edited(() => 'payment')],
  ['null', malformed, edited(() => null)],
  text('base64url', (json) => Buffer.from(json.replace('{', `{"x":"${STAINED}",`)).toString('base64url')),
  text('not base64', (json) => json),
  text('without padding', (json) =>
    b64(json.padEnd(json.length + 2 - ((json.length + 1) % 3))).replace(/=+$/, ''),
  ),
  text('with a space in front', (json) => ` ${b64(json)}`),
  text('with a line end', (json) => `${b64(json)}\n`),
  text('in two lines', (json) => `${b64(json)}, ${b64(json)}`),
  text('gzip', (json) => gzipSync(json).toString('base64')),
  text('of 1 MB', (json) => b64(json + ' '.repeat(1_000_000))),
  text('nested 4,000 deep', () => b64('['.repeat(4_000) + ']'.repeat(4_000))),
  text('nested 10,000 deep', () => b64('['.repeat(10_000) + ']'.repeat(10_000))),
  text('nested in an extension', (json) =>
    b64(json.replace('{', `{"extensions":{"x":${'['.repeat(30)}${']'.repeat(30)}},`)),
  ),
  text('with a key twice', (json) => b64(json.replace('"value":', '"value":"1","value":'))),
  text('with a key twice, once escaped', (json) =>
    b64(json.replace('"value":', '"\\u0076alue":"1","value":')),
  ),
  text('with a version twice', (json) => b64(json.replace('{', '{"x402Version":1,'))),
  text('with __proto__', (json) => b64(json.replace('{', '{"__proto__":{"x402Version":2},'))),
  text('with a byte order mark', (json) => Buffer.from(`\ufeff${json}`).toString('base64')),
  text('with broken UTF-8', (json) =>
    Buffer.concat([
      Buffer.from(json.slice(0, -1)),
      Buffer.from(',"x":"', 'latin1'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]).toString('base64'),
  ),
  text('cut short', (json) => b64(json.slice(0, -1))),
  text('empty', () => ''),
]

describe('payments that are not', () => {
  test('the one they are made from is good', async () => {
    expect(await verdict(toHeader(await v2()))).toBe('accepted')
    expect(await verdict(toHeader(await v2({ validBefore: String(NOW_S + 7) })))).toBe('accepted')
    expect(await verdict(toHeader(await v2({ validBefore: String(NOW_S + 360) })))).toBe('accepted')
    expect(await verdict(toHeader(await v2({ validAfter: String(NOW_S) })))).toBe('accepted')
    const stained = toHeader({ x: STAINED, ...(await v2()) })
    expect(stained).toMatch(/[+/]/)
    expect(await verdict(stained)).toBe('accepted')
    const json = JSON.stringify(await v2())
    expect(await verdict(b64(json.padEnd(json.length + 2 - ((json.length + 1) % 3))))).toBe('accepted')
  })

  test.each(TAMPERED)('%s: %s', async (_, reason, header) => {
    expect(await verdict(await header())).toBe(reason)
  })

  test('one for a cheap product does not buy a dear one, whichever version', async () => {
    expect(await verdict(toHeader(await v2()), 2, dear)).toBe('wrong_amount')
    expect(await verdict(toHeader(await v1()), 1, dear)).toBe('wrong_amount')
    const relabelled = { ...(await v2()), accepted: requirementOf(dear, 'eip155') }
    expect(await verdict(toHeader(relabelled), 2, dear)).toBe('wrong_amount')
  })

  test('v1 with anything of v2, or on another network', async () => {
    const good = await v1()
    expect(await verdict(toHeader(good), 1)).toBe('accepted')
    expect(await verdict(toHeader({ ...good, accepted: ours }), 1)).toBe(malformed)
    expect(await verdict(toHeader({ ...good, resource: { url: resourceUrl } }), 1)).toBe(malformed)
    expect(await verdict(toHeader({ ...good, network: 'eip155:8453' }), 1)).toBe('unsupported_network')
    expect(await verdict(toHeader({ ...good, network: 'base-sepolia' }), 1)).toBe('unsupported_network')
    expect(await verdict(toHeader({ ...good, network: 'solana' }), 1)).toBe(malformed)
    expect(await verdict(toHeader({ ...good, scheme: 'upto' }), 1)).toBe('unsupported_network')
    expect(await verdict(toHeader(await v2()), 1)).toBe(malformed)
  })

  test('what is expired still has its name, so that its reply can be fetched again', async () => {
    const result = await read(
      { version: 2, text: toHeader(await v2({ validBefore: '1700000000' })) },
      cheap,
      'client',
    )
    expect(result).toMatchObject({ problem: 'expired', payment: { payer: account.address.toLowerCase() } })
  })
})

function highS(signature: string): string {
  const s = N - BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.endsWith('1b') ? '1c' : '1b'
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}`
}
