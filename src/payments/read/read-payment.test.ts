import { ExactEvmScheme } from '@x402/evm/exact/client'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client'
import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../core/service-error.ts'
import { systemClock } from '../../core/time/clock.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import {
  account,
  BASE_URL,
  cheap,
  NOW_MS,
  requirementOf,
  resourceUrl,
  signAuthorization,
  terms,
  toHeader,
} from '../../testing/payments/sample-evm.ts'
import type { Hex } from './evm/evm-authorization.ts'
import type { SmartWalletSignatures } from './evm/smart-wallet-signatures.ts'
import { createReadPayment } from './read-payment.ts'

const nobody: SmartWalletSignatures = { holds: async () => false }
const clock = createManualClock(NOW_MS)
const read = createReadPayment({ clock, terms, signatures: nobody, baseUrl: BASE_URL })
const ours = requirementOf(cheap, 'eip155')

async function verdict(text: string) {
  const result = await read({ version: 2, text }, cheap, 'client')
  return 'reason' in result ? result.reason : (result.problem ?? 'accepted')
}
async function v2(changes: { from?: Hex } = {}) {
  const payload = await signAuthorization(ours, changes)
  return { x402Version: 2, resource: { url: resourceUrl }, accepted: ours, payload }
}
async function v1() {
  return { x402Version: 1, scheme: 'exact', network: 'base', payload: await signAuthorization(ours) }
}

describe('payments that are good', () => {
  test('v2 and v1 of one authorization are one payment, with our terms in it', async () => {
    const [two, one] = [
      await read({ version: 2, text: toHeader(await v2()) }, cheap, 'client'),
      await read({ version: 1, text: toHeader(await v1()) }, cheap, 'client'),
    ]
    if ('reason' in two || 'reason' in one) throw new Error('refused')
    expect([two.problem, one.problem]).toEqual([undefined, undefined])
    expect(two.payment).toMatchObject({
      version: 2,
      network: 'eip155:8453',
      payer: account.address.toLowerCase(),
      key: `eip155:8453/${ours.asset}/${account.address}/0x${'5a'.repeat(32)}`.toLowerCase(),
      validBeforeMs: NOW_MS + 300_000,
      requirement: ours,
      payload: { x402Version: 2, accepted: ours },
      productId: cheap.id,
    })
    expect(one.payment.digest).toBe(two.payment.digest)
    expect(one.payment.key).toBe(two.payment.key)
    expect(one.payment.payload).toEqual(two.payment.payload)
    expect(JSON.parse(JSON.stringify(two.payment)).key).toBe(two.payment.key)
  })

  test('the stock clients of both versions are understood', async () => {
    const readNow = createReadPayment({ clock: systemClock, terms, signatures: nobody, baseUrl: BASE_URL })
    const { payload } = await new ExactEvmScheme(account).createPaymentPayload(2, {
      ...ours,
      network: 'eip155:8453',
    })
    const stock2 = { x402Version: 2, resource: { url: resourceUrl }, accepted: ours, payload, extensions: {} }
    const required = {
      ...ours,
      network: 'base',
      maxAmountRequired: ours.amount,
      resource: resourceUrl,
      description: '',
      mimeType: '',
    }
    const stock1 = await new ExactEvmSchemeV1(account).createPaymentPayload(1, required as never)
    for (const [version, payment] of [
      [2, stock2],
      [1, stock1],
    ] as const) {
      const result = await readNow({ version, text: toHeader(payment) }, cheap, 'client')
      expect('problem' in result && result.problem === undefined, JSON.stringify(result)).toBe(true)
    }
  })

  test('spelling of hex, key order, white space, v as 0 or 1 change neither name nor digest', async () => {
    const plain = await v2()
    const { authorization, signature } = plain.payload
    const lowV = `0x${signature.slice(2, -2)}${signature.endsWith('1b') ? '00' : '01'}`
    const upper = {
      payload: {
        authorization: { ...authorization, from: `0x${authorization.from.slice(2).toUpperCase()}` },
        signature: lowV,
      },
      accepted: { ...ours, payTo: ours.payTo.toLowerCase(), asset: ours.asset.toLowerCase() },
      x402Version: 2,
    }
    const [a, b] = [
      await read({ version: 2, text: toHeader(plain) }, cheap, 'client'),
      await read(
        { version: 2, text: Buffer.from(JSON.stringify(upper, null, 2)).toString('base64') },
        cheap,
        'client',
      ),
    ]
    if ('reason' in a || 'reason' in b) throw new Error('refused')
    expect(b.problem).toBeUndefined()
    expect([b.payment.key, b.payment.digest]).toEqual([a.payment.key, a.payment.digest])
    expect(b.payment.payload.payload).toEqual(a.payment.payload.payload)
  })

  test('a payment identifier is read, and one of the wrong form refused', async () => {
    const withId = async (info: unknown) =>
      toHeader({ ...(await v2()), extensions: { 'payment-identifier': { info } } })
    const id = 'pay_0123456789abcdef'
    const result = await read({ version: 2, text: await withId({ required: false, id }) }, cheap, 'client')
    expect('payment' in result && result.payment.identifier).toBe(id)
    expect(await verdict(await withId({ required: false }))).toBe('accepted')
    for (const bad of [
      'short',
      'x'.repeat(129),
      'has spaces in the middle',
      12345678901234567890n.toString(36),
      7,
    ])
      expect(await verdict(await withId({ id: bad }))).toBe('malformed_payment')
  })

  test('a contract wallet is asked about, and its node being down is no refusal', async () => {
    const asked: unknown[] = []
    const wallet = `0x${'77'.repeat(20)}` as Hex
    const payment = toHeader(await v2({ from: wallet }))
    const asking = (holds: SmartWalletSignatures['holds']) =>
      createReadPayment({ clock, terms, signatures: { holds }, baseUrl: BASE_URL })
    const accepted = await asking(async (claim) => asked.push([claim.wallet, claim.client]) > 0)(
      { version: 2, text: payment },
      cheap,
      'client',
    )
    expect(asked).toEqual([[wallet, 'client']])
    expect('problem' in accepted && accepted.problem).toBeUndefined()
    const down = asking(async () => {
      throw new ServiceError('payments_unavailable', 'down')
    })
    // With its key, so that what it bought is found all the same.
    const unknown = await down({ version: 2, text: payment }, cheap, 'client')
    expect(unknown).toMatchObject({
      payment: { key: expect.stringContaining(wallet) },
      problem: { code: 'payments_unavailable' },
    })
  })

  test('with a problem that is known before, nothing is checked and nobody is asked', async () => {
    const known = new ServiceError('rate_limited', 'too many')
    const unasked = createReadPayment({
      ...{ clock, terms, baseUrl: BASE_URL },
      signatures: { holds: () => Promise.reject(new Error('asked')) },
    })
    const text = toHeader(await v2({ from: `0x${'77'.repeat(20)}` as Hex }))
    expect(await unasked({ version: 2, text }, cheap, 'client', known)).toMatchObject({ problem: known })
  })
})
