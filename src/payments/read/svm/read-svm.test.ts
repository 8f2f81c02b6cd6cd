import { address } from '@solana/kit'
import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import {
  BASE_URL,
  cheap,
  dear,
  NOW_MS,
  requirementOf,
  terms,
  toHeader,
} from '../../../testing/payments/sample-evm.ts'
import {
  memo,
  payerSigner,
  reads,
  type SvmChanges,
  signTransfer,
} from '../../../testing/payments/sample-svm.ts'
import { createTerms } from '../../challenge/terms.ts'
import type { RefusalReason } from '../../gate/refusal.ts'
import { createReadPayment } from '../read-payment.ts'

const ours = requirementOf(cheap, 'solana')
const signatures = { holds: async () => true }
const read = createReadPayment({ clock: createManualClock(NOW_MS), terms, signatures, baseUrl: BASE_URL })
const LIGHTHOUSE = address('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95')
const STRANGER = 'So11111111111111111111111111111111111111112'

const toV2 = (transaction: string, accepted: object = ours) =>
  toHeader({ x402Version: 2, accepted, payload: { transaction } })
async function verdict(text: string, product = cheap) {
  const result = await read({ version: 2, text }, product, 'client')
  return 'reason' in result ? result.reason : (result.problem ?? 'accepted')
}

describe('Solana payments', () => {
  test('are not refused while no fee payer is known: one may have been paid already', async () => {
    const suspended = createReadPayment({
      clock: createManualClock(NOW_MS),
      terms: createTerms({ svm: ours.payTo }, () => undefined),
      signatures,
      baseUrl: BASE_URL,
    })
    const text = toV2(await signTransfer(ours))
    const [now, before] = [
      await suspended({ version: 2, text }, cheap, 'client'),
      await read({ version: 2, text }, cheap, 'client'),
    ]
    // The same payment, so that what it has bought is found.
    expect(now).toEqual({ ...before, problem: expect.objectContaining({ code: 'payments_unavailable' }) })
    expect(await suspended({ version: 2, text: toV2('AAAA') }, cheap, 'client')).toEqual({
      reason: 'malformed_payment',
    })
  })

  test('v1 and v2 of one transaction are one payment, named by its message', async () => {
    const transaction = await signTransfer(ours)
    const two = await read({ version: 2, text: toV2(transaction) }, cheap, 'client')
    const one = await read(
      {
        version: 1,
        text: toHeader({ x402Version: 1, scheme: 'exact', network: 'solana', payload: { transaction } }),
      },
      cheap,
      'client',
    )
    if ('reason' in two || 'reason' in one) throw new Error('refused')
    expect([two.problem, one.problem]).toEqual([undefined, undefined])
    expect(two.payment.key).toMatch(/^solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp\/[0-9a-f]{64}$/)
    expect([one.payment.key, one.payment.digest]).toEqual([two.payment.key, two.payment.digest])
    expect(two.payment).toMatchObject({ payer: (await payerSigner()).address, validBeforeMs: undefined })
  })

  test('with the signature of the fee payer it is the same payment', async () => {
    const wire = Buffer.from(await signTransfer(ours), 'base64')
    const filled = Buffer.from(wire).fill(0xee, 1, 65)
    const [a, b] = [
      await read({ version: 2, text: toV2(wire.toString('base64')) }, cheap, 'client'),
      await read({ version: 2, text: toV2(filled.toString('base64')) }, cheap, 'client'),
    ]
    if ('reason' in a || 'reason' in b) throw new Error('refused')
    expect([b.problem, b.payment.key, b.payment.digest]).toEqual([undefined, a.payment.key, a.payment.digest])
  })

  test('hints that change with every challenge are no part of the terms', async () => {
    const extra = { ...ours.extra, recentBlockhash: 'abc', lastValidBlockHeight: '9' }
    expect(await verdict(toV2(await signTransfer(ours), { ...ours, extra }))).toBe('accepted')
  })

  const good: [string, SvmChanges][] = [
    ['no memo', { extra: [] }],
    ['four memos', { extra: ['a', 'b', 'c', 'd'].map(memo) }],
    ['an assertion', { extra: [{ programAddress: LIGHTHOUSE, data: Uint8Array.from([1]) }] }],
    ['the highest price', { priceMicroLamports: 5_000_000n }],
  ]
  test.each(good)('allowed: %s', async (_, changes) => {
    expect(await verdict(toV2(await signTransfer(ours, changes)))).toBe('accepted')
  })

  const refused = 'payment_refused'
  const bad: [string, RefusalReason, SvmChanges][] = [
    ['amount + 1', 'wrong_amount', { amount: BigInt(ours.amount) + 1n }],
    ['amount - 1', 'wrong_amount', { amount: BigInt(ours.amount) - 1n }],
    ['amount 2^64 - 1', 'wrong_amount', { amount: 2n ** 64n - 1n }],
    ['another mint', 'wrong_asset', { mint: STRANGER }],
    ['other decimals', 'wrong_asset', { decimals: 9 }],
    ['another destination', 'wrong_recipient', { destination: STRANGER }],
    ['the address itself as destination', 'wrong_recipient', { destination: ours.payTo }],
    ['another fee payer', 'wrong_terms', { feePayer: STRANGER }],
    ['a price too high', refused, { priceMicroLamports: 5_000_001n }],
    ['five memos', refused, { extra: ['a', 'b', 'c', 'd', 'e'].map(memo) }],
    ['an unknown program', refused, { extra: [{ programAddress: address(STRANGER) }] }],
    ['another token program', refused, { tokenProgram: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' }],
    ['no compute limit', refused, { edit: ([, ...rest]) => rest }],
    [
      'the transfer first',
      refused,
      { edit: ([a, b, c, ...rest]) => [c, a, b, ...rest].flatMap((i) => i ?? []) },
    ],
    ['two transfers', refused, { edit: ([a, b, c]) => [a, b, c, c].flatMap((i) => i ?? []) }],
    ['no transfer', refused, { edit: ([a, b]) => [a, b].flatMap((i) => i ?? []) }],
    [
      'the fee payer as a party',
      refused,
      { extra: [{ ...memo('x'), accounts: reads(ours.extra.feePayer ?? '') }] },
    ],
  ]
  test.each(bad)('%s: %s', async (_, reason, changes) => {
    expect(await verdict(toV2(await signTransfer(ours, changes)))).toBe(reason)
  })

  test('cosigners are refused: only payer and fee payer sign', async () => {
    const cosigner = await payerSigner(9)
    expect(await verdict(toV2(await signTransfer(ours, { cosigner })))).toBe(refused)
    const extra = [{ ...memo('x'), accounts: [{ address: cosigner.address, role: 2, signer: cosigner }] }]
    expect(await verdict(toV2(await signTransfer(ours, { extra })))).toBe('invalid_signature')
  })

  test('the payer paying the fee is refused', async () => {
    const { address: payer } = await payerSigner()
    expect(await verdict(toV2(await signTransfer(ours, { feePayer: payer })))).toBe(refused)
  })

  test('any changed byte of the message or of the signature is noticed', async () => {
    const wire = Buffer.from(await signTransfer(ours), 'base64')
    for (let at = 65; at < wire.length; at++) {
      const changed = Buffer.from(wire)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(await verdict(toV2(changed.toString('base64'))), `byte ${at}`).not.toBe('accepted')
    }
    const unsigned = Buffer.from(wire).fill(0, 65, 129)
    expect(await verdict(toV2(unsigned.toString('base64')))).toBe('invalid_signature')
  })

  test('what is no transaction is malformed', async () => {
    const transaction = await signTransfer(ours)
    const longer = Buffer.concat([Buffer.from(transaction, 'base64'), Buffer.from([0])]).toString('base64')
    for (const text of [
      '',
      'AA==',
      '!!',
      transaction.slice(4),
      longer,
      'A'.repeat(2_000),
      `${transaction}\n`,
    ])
      expect(await verdict(toV2(text)), text).toBe('malformed_payment')
    expect(await verdict(toHeader({ x402Version: 2, accepted: ours, payload: { transaction, x: 1 } }))).toBe(
      'malformed_payment',
    )
  })

  test('terms of another network, and a cheap payment for a dear product', async () => {
    const transaction = await signTransfer(ours)
    expect(await verdict(toV2(transaction, { ...ours, payTo: ours.payTo.toLowerCase() }))).toBe(
      'wrong_recipient',
    )
    expect(await verdict(toV2(transaction, { ...ours, network: 'solana' }))).toBe('unsupported_network')
    expect(await verdict(toV2(transaction, requirementOf(cheap, 'eip155')))).toBe('malformed_payment')
    expect(await verdict(toV2(transaction, requirementOf(dear, 'solana')), dear)).toBe('wrong_amount')
  })
})
