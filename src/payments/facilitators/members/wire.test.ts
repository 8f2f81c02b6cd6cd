import { expect, it } from 'vitest'
import { createInProcessMember } from './in-process-member.ts'
import { parseSettle, parseSupported, parseVerify } from './wire.ts'

const SVM = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

it('keeps the kinds we use and every fee payer of a network that needs one', () => {
  const supported = parseSupported({
    kinds: [
      { x402Version: 2, scheme: 'exact', network: 'eip155:8453' },
      { x402Version: 1, scheme: 'exact', network: 'base' },
      { x402Version: 2, scheme: 'upto', network: 'eip155:8453' },
      { x402Version: 2, scheme: 'exact', network: SVM, extra: { feePayer: 'first' } },
    ],
    extensions: [],
    signers: { 'eip155:*': ['0x1'], 'solana:*': ['first', 'second'] },
  })
  expect(supported).toEqual([
    { network: 'eip155:8453', feePayers: [] },
    { network: SVM, feePayers: ['first', 'second'] },
  ])
})

it('reads empty and null fields as missing, and throws on wrong ones', () => {
  expect(parseSettle({ success: true, transaction: '', errorReason: null })).toEqual({
    success: true,
    reason: undefined,
    transaction: undefined,
  })
  expect(() => parseVerify({ isValid: 'yes' })).toThrow()
  expect(() => parseSettle({})).toThrow()
  expect(() => parseSupported({ kinds: 'all' })).toThrow()
})

it('wraps a facilitator in the same process, whatever it throws', async () => {
  const good = createInProcessMember('here', {
    verify: async () => ({ isValid: false, invalidReason: 'insufficient_funds' }),
    settle: async () => ({ success: true, transaction: '0xabc', network: 'eip155:8453' }),
    getSupported: () => ({ kinds: [], extensions: [], signers: {} }),
  })
  const bad = createInProcessMember('there', {
    verify: async () => 'odd',
    settle: async () => {
      throw new Error('sent, and then it broke')
    },
    getSupported: () => {
      throw new Error('not ready')
    },
  })
  const request = { x402Version: 2, paymentPayload: {}, paymentRequirements: REQUIREMENT } as const
  const { signal } = new AbortController()
  expect([
    await good.verify(request, signal),
    await good.settle(request, signal),
    await good.supported(signal),
  ]).toEqual([
    { kind: 'answer', answer: { isValid: false, reason: 'insufficient_funds' } },
    { kind: 'answer', answer: { success: true, reason: undefined, transaction: '0xabc' } },
    { kind: 'answer', answer: [] },
  ])
  expect([
    await bad.verify(request, signal),
    await bad.settle(request, signal),
    await bad.supported(signal),
  ]).toEqual([
    { kind: 'fault', fault: 'unparsable' },
    { kind: 'fault', fault: 'server_error' },
    { kind: 'fault', fault: 'server_error' },
  ])
})

const REQUIREMENT = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '1',
  asset: 'usdc',
  payTo: 'us',
  maxTimeoutSeconds: 300,
  extra: {},
} as const
