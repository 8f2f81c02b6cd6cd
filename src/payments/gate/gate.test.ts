import { expect, test } from 'vitest'
import { createPaidMint } from '../../catalog/paid.ts'
import { silentLog } from '../../core/log.ts'
import { ServiceError } from '../../core/service-error.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createMemoryPaymentBook } from '../../testing/ledger/memory-payment-book.ts'
import {
  BASE_URL,
  cheap,
  NOW_MS,
  requirementOf,
  signAuthorization,
  terms,
  toHeader,
} from '../../testing/payments/sample-evm.ts'
import { createReadPayment } from '../read/read-payment.ts'
import { createCollect } from './collect.ts'
import { createGate, type Purchase } from './gate.ts'
import type { Facilitators } from './ports.ts'
import { createSell } from './sell.ts'

/** The real gate, sale and reader, before a chain on which every payment moves, and a thing that can be taken off the shelf. */
function shop() {
  const clock = createManualClock(NOW_MS)
  const book = createMemoryPaymentBook()
  const asked: string[] = []
  const facilitators: Facilitators = {
    verify: async () => {
      asked.push('verify')
      return { kind: 'valid' }
    },
    settle: async () => ({ kind: 'accepted', transaction: '0x1', facilitator: 'test' }),
  }
  const chain = { outcome: async () => ({ kind: 'paid', transaction: '0x1' }) as const }
  const receipts = { sign: async () => 'receipt' }
  const collect = createCollect({ clock, book, receipts, log: silentLog, facilitators, chain })
  const random = { id: () => 'id' }
  const demo = { taken: 0, limit: 1, remaining: () => 1 }
  const gate = createGate({
    clock,
    mint: createPaidMint().mint,
    challenges: { challenge: () => ({ header: '', pageHeader: '', body: '', bodyBytes: 0, madeAtMs: 0 }) },
    demo: {
      ...demo,
      take: () => {
        demo.taken++
        return { remaining: 0, spend: async () => {}, giveBack: () => {} }
      },
    },
    readPayment: createReadPayment({
      clock,
      terms,
      signatures: { holds: async () => false },
      baseUrl: BASE_URL,
    }),
    sell: createSell({ clock, random, book, facilitators, chain, collect, bootId: 'boot' }),
  })
  const shelf = { isEmpty: false, asked, demo }
  const ask = async (more: Partial<Purchase> = {}) => {
    const purchase: Purchase = {
      route: { method: 'GET', path: cheap.path, preset: {}, endpoint: cheap },
      product: cheap,
      client: 'test',
      resource: '/price/BTC',
      checkExists: async () => {
        if (shelf.isEmpty) throw new ServiceError('not_found', 'it is gone')
      },
      askPriceOnly: false,
      payment: undefined,
      envelopeVersion: 2,
      maxAgeMs: undefined,
      ...more,
    }
    const text = '{"sold":true}'
    return gate
      .admit(purchase, () => ({ text, bytes: text.length, asOfMs: undefined, isOutage: false }))
      .then(
        ({ kind }) => kind as string,
        (error: ServiceError) => error.code,
      )
  }
  return { ask, shelf }
}

const payment = async (nonce: string) => ({
  version: 2 as const,
  text: toHeader({
    x402Version: 2,
    accepted: requirementOf(cheap, 'eip155'),
    payload: await signAuthorization(requirementOf(cheap, 'eip155'), { nonce: `0x${nonce.repeat(32)}` }),
  }),
})

test('nobody is asked to pay for what does not exist, nor is a free call or a facilitator used', async () => {
  const { ask, shelf } = shop()
  shelf.isEmpty = true
  expect(await ask()).toBe('not_found')
  expect(await ask({ askPriceOnly: true })).toBe('not_found')
  expect(await ask({ envelopeVersion: 1 })).toBe('not_found')
  expect(await ask({ payment: { version: 2, text: 'garbage' } })).toBe('not_found')
  expect(await ask({ payment: { version: 1, text: 'e30=' } })).toBe('not_found')
  expect(await ask({ payment: await payment('5a') })).toBe('not_found')
  expect([shelf.asked, shelf.demo.taken]).toEqual([[], 0])
  shelf.isEmpty = false
  expect(await ask({ payment: await payment('5a') })).toBe('sold')
})

test('what was bought while it existed is handed out again to its buyer, and to nobody else', async () => {
  const { ask, shelf } = shop()
  const bought = await payment('5a')
  expect(await ask({ payment: bought })).toBe('sold')
  shelf.isEmpty = true
  expect(await ask({ payment: bought })).toBe('sold')
  expect(await ask({ payment: bought, resource: '/price/ETH' })).toBe('not_found')
  expect(await ask({ payment: await payment('5b') })).toBe('not_found')
})
