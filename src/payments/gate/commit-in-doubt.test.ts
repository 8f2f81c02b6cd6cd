import { expect, test } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { CLAIM_LEASE_MS } from '../../ledger/ports/payment-book.ts'
import { createMemoryPaymentBook } from '../../testing/ledger/memory-payment-book.ts'
import type { MemoryRows } from '../../testing/ledger/memory-payment-rows.ts'
import { sampleClaim, sampleReply } from '../../testing/ledger/sample-claim.ts'
import { createOpenPayments } from './bounds/open-payments.ts'
import { createLeases } from './leases.ts'
import type { Payment } from './payment.ts'
import { createReconcile } from './reconcile.ts'
import { createSell } from './sell.ts'
import { createSettleHints } from './settle-hints.ts'

const NOW_MS = Date.UTC(2026, 0, 5, 12)
const network = 'eip155:8453'
const payment: Payment = {
  version: 2,
  key: 'eip155:8453/usdc/payer/nonce',
  network,
  payer: 'payer',
  payload: {},
  requirement: {
    scheme: 'exact',
    network,
    asset: 'usdc',
    amount: '1000',
    payTo: 'us',
    maxTimeoutSeconds: 300,
    extra: {},
  },
  validBeforeMs: NOW_MS + 300_000,
  digest: 'digest',
  identifier: undefined,
}
const reply = { text: '{}', bytes: 2, asOfMs: NOW_MS, isOutage: false }

/** A sale on a ledger that does what it is told and says, now and then, that it could not. */
function shop() {
  const clock = createManualClock(NOW_MS)
  const rows: MemoryRows = new Map()
  const state = { inDoubt: 0, ids: 0, collected: Promise.resolve() }
  const book = createMemoryPaymentBook({
    rows,
    commit: async (apply) => {
      const result = apply()
      if (state.inDoubt-- > 0) throw new Error('the connection to the ledger was lost')
      return result
    },
  })
  const sell = createSell({
    clock,
    book,
    leases: createLeases({ clock, book, log: silentLog }),
    random: { id: () => `id${++state.ids}` },
    facilitators: {
      verify: async () => ({ kind: 'valid' }),
      ready: async () => {},
      settle: async () => ({ kind: 'accepted', transaction: '0x1', facilitator: 'a' }),
    },
    chain: { ready: async () => {}, outcome: async () => ({ kind: 'paid', transaction: '0x1' }) },
    collect: async (_, prepared) => {
      await state.collected
      return { ...prepared, state: 'settled' }
    },
  })
  const offer = (work: () => Promise<typeof reply>) => ({ productId: 'p', request: 'GET /p', work })
  return { clock, rows, book, state, sell, offer }
}

test('a claim that was written and reported as failed does not lock its payment', async () => {
  const { rows, state, sell, offer } = shop()
  state.inDoubt = 1
  await expect(
    sell(
      payment,
      offer(async () => reply),
      undefined,
    ),
  ).rejects.toThrow('connection')
  expect(rows.size).toBe(0)
  expect(
    await sell(
      payment,
      offer(async () => reply),
      undefined,
    ),
  ).toMatchObject({ kind: 'sold' })
})

test('a release that was done and reported as failed is not done again to the next claim', async () => {
  const { clock, rows, state, sell, offer } = shop()
  const failing = offer(async () => {
    // Its release is done and reported as failed, and so is every later try.
    state.inDoubt = 100
    throw new Error('no data')
  })
  await expect(sell(payment, failing, undefined)).rejects.toThrow('no data')
  state.inDoubt = 0
  let finish = () => {}
  const working = new Promise<void>((resolve) => {
    finish = resolve
  })
  const second = sell(
    payment,
    offer(async () => {
      await working
      return reply
    }),
    undefined,
  )
  clock.advance(60_000)
  // All that the passed time set off.
  await new Promise(setImmediate)
  expect([...rows.values()]).toMatchObject([{ state: 'claimed', id: 'id2' }])
  finish()
  expect(await second).toMatchObject({ kind: 'sold' })
})

test('a sale whose claim was taken for dead ends late, and copies of the next one still wait for it', async () => {
  const { clock, rows, book, state, sell, offer } = shop()
  const working = Promise.withResolvers<typeof reply>()
  const collected = Promise.withResolvers<void>()
  const buy = (work = async () => reply) => sell(payment, offer(work), undefined)
  const late = buy(() => working.promise)
  await new Promise(setImmediate)
  clock.advance(CLAIM_LEASE_MS + 1)
  expect(await book.releaseExpired(clock.now())).toBe(1)
  state.collected = collected.promise
  const second = buy()
  await new Promise(setImmediate)
  working.resolve(reply)
  await expect(late).rejects.toMatchObject({ code: 'payment_in_progress' })
  expect([...rows.values()]).toMatchObject([{ state: 'settling', id: 'id2' }])
  state.collected = Promise.resolve()
  await expect(buy()).rejects.toMatchObject({ code: 'payment_in_progress' })
  collected.resolve()
  expect(await second).toMatchObject({ kind: 'sold' })
})

test('a settlement that was written and reported as failed no longer counts as open', async () => {
  const clock = createManualClock(NOW_MS)
  const state = { inDoubt: 0 }
  const book = createMemoryPaymentBook({
    commit: async (apply) => {
      const result = apply()
      if (state.inDoubt-- > 0) throw new Error('the connection to the ledger was lost')
      return result
    },
  })
  const claim = { ...sampleClaim(payment.key), payer: payment.payer, payment: JSON.stringify(payment) }
  await book.claim(claim)
  await book.prepare(claim.key, claim.id, sampleReply())
  const open = createOpenPayments({ clock })
  open.note(claim)
  const { run } = createReconcile({
    ...{ clock, book, open, log: silentLog, hints: createSettleHints() },
    receipts: { sign: async () => 'receipt' },
    chain: { ready: async () => {}, outcome: async () => ({ kind: 'paid', transaction: '0x1' }) },
  })
  const stop = new AbortController()
  state.inDoubt = 1
  const running = run(stop.signal)
  await new Promise(setImmediate)
  expect([(await book.find(claim.key))?.state, open.countOf(payment.payer)]).toEqual(['settled', 1])
  clock.advance(2_000)
  await new Promise(setImmediate)
  expect(open.countOf(payment.payer)).toBe(0)
  stop.abort()
  await running
})
