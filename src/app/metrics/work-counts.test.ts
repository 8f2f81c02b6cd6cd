import { expect, test } from 'vitest'
import type { PaymentRow } from '../../ledger/ports/payment-book.ts'
import type { Store } from '../../ledger/ports/store.ts'
import { createWorkCounts } from './work-counts.ts'

const KEY = 'eip155:8453/usdc/payer/1'
const row = { key: KEY, network: 'eip155:8453', productId: 'market.price', amount: '1000' } as PaymentRow
const outcome = { transaction: '0x1', facilitator: 'one.example', settledAtMs: 5, receipt: undefined }

function scene(payments: object) {
  const counts = createWorkCounts()
  const usage = { record: () => {}, perDay: async () => [], dropped: 3 }
  const store = counts.watchStore({ payments, usage } as unknown as Store)
  const read = (name: string) =>
    counts.families
      .find((family) => family.name === name)
      ?.read()
      .map(({ labels, value }) => [labels, value])
  return { counts, store, read }
}

test('a payment that both its request and the worker settle is counted once', async () => {
  const settled = { ...row, ...outcome, state: 'settled', revived: false }
  const { store, read } = scene({ settle: async () => settled })
  await store.payments.settle(KEY, outcome)
  await store.payments.settle(KEY, outcome)
  await store.payments.settle(KEY, { ...outcome, settledAtMs: 9 })
  const labels = { network: 'eip155:8453', facilitator: 'one.example', outcome: 'settled' }
  expect(read('tollbook_payments_total')).toEqual([[labels, 1]])
  expect(read('tollbook_revenue_usdc_atomic_total')).toEqual([
    [{ product: 'market.price', network: 'eip155:8453' }, 1_000],
  ])
})

test('one that was settled before, by another process, is not ours to count', async () => {
  const settled = { ...row, ...outcome, settledAtMs: 4, state: 'settled', revived: false }
  const { store, read } = scene({ settle: async () => settled })
  await store.payments.settle(KEY, outcome)
  expect(read('tollbook_payments_total')).toEqual([])
})

test('open and void payments are counted by their network', async () => {
  const { store, counts, read } = scene({ void: async () => {} })
  counts.countOpen(KEY)
  counts.countOpen(KEY)
  await store.payments.void('solana:5eyk/abc')
  expect(read('tollbook_payments_total')).toEqual([
    [{ network: 'eip155:8453', facilitator: 'none', outcome: 'open' }, 1],
    [{ network: 'solana:5eyk', facilitator: 'none', outcome: 'void' }, 1],
  ])
})

test('a write that fails fails as before, and is timed as failed', async () => {
  const { store, read } = scene({ void: () => Promise.reject(new Error('disk full')) })
  await expect(store.payments.void(KEY)).rejects.toThrow('disk full')
  expect(read('tollbook_ledger_write_seconds')?.at(-1)).toEqual([{ step: 'void', outcome: 'failed' }, 1])
  expect(read('tollbook_payments_total')).toEqual([])
  expect(store.usage.dropped).toBe(3)
})
