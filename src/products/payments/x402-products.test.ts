import { describe, expect, test } from 'vitest'
import { createCatalog } from '../../catalog/catalog.ts'
import { createReplies } from '../../catalog/encoded-reply.ts'
import { bindGroup } from '../../catalog/handlers.ts'
import { DAY_MS, HOUR_MS } from '../../core/time/time.ts'
import { listed } from '../../testing/catalog/group-of.ts'
import {
  ALICE,
  BOB,
  createDeskWorld,
  NOW_MS,
  OPERATOR,
  SVM,
  soldWorld,
} from '../../testing/payments/desk-world.ts'
import { paymentGroup } from './group.ts'
import { receipts } from './receipts.ts'
import { verifyTx } from './verify-tx.ts'
import { x402Analytics } from './x402-analytics.ts'
import { x402Stats } from './x402-stats.ts'
import { x402Status } from './x402-status.ts'

describe('/x402/status', () => {
  test('says what the ledger holds, the operator apart', async () => {
    const { ask } = await soldWorld()
    expect(await ask(x402Status)).toMatchObject({
      source: 'sandbox:ledger',
      mode: 'sandbox',
      settlements: 5,
      revenue_usdc: 0.2531,
      revenue_atomic: '253100',
      operator: { settlements: 2, revenue_usdc: 7.001, revenue_atomic: '7001000' },
      payers: 2,
      last_settlement_at: '2026-01-05T11:30:00.000Z',
      unsettled: { count: 1, oldest_age_ms: 5_000 },
      networks: [
        { network: 'eip155:8453', settlements: 3, revenue_atomic: '251100' },
        { network: SVM, settlements: 2, revenue_atomic: '2000', pay_to: 'Pay1' },
      ],
      marketplace: { paid_products: 2, paid_addresses: 3, cheapest_usdc: 0.0001, dearest_usdc: 0.001 },
      receipt_key: 'did:key:z6Mk',
      former_receipt_keys: [
        {
          key_id: 'did:key:z6Old',
          until: '2026-01-04T12:00:00.000Z',
          replaced_by: 'did:key:z6Mk',
          reason: 'lost',
        },
      ],
    })
  })

  test('shows facilitators without what is not meant for the public', async () => {
    const { ask } = createDeskWorld()
    const status = await ask(x402Status)
    const networks = [{ verify: 'ok', settle: 'paused' }]
    expect(status.facilitators).toMatchObject([
      { name: 'first', networks, latency_ms: 12, last_fault: 'timeout' },
    ])
    expect(JSON.stringify(status)).not.toContain('sesame')
  })

  test('of an empty ledger is zeros', async () => {
    expect(await createDeskWorld().ask(x402Status)).toMatchObject({
      settlements: 0,
      revenue_atomic: '0',
      last_settlement_at: null,
      unsettled: { count: 0, oldest_age_ms: null },
    })
  })

  test('finds the last settlement among more wallets than are listed', async () => {
    const { ask, settle } = createDeskWorld()
    for (let n = 0; n < 1_200; n++) await settle(`0x${n}`, `${5_000 - n}`, DAY_MS - n * 1_000)
    const last = new Date(NOW_MS - DAY_MS + 1_199_000).toISOString()
    expect((await ask(x402Status)).last_settlement_at).toBe(last)
  })
})

describe('/x402/analytics', () => {
  test.each([
    ['24h', '1100', 2],
    ['7d', '2100', 3],
    ['30d', '3100', 4],
    ['all', '253100', 5],
  ])('%s sums to %s', async (period, atomic, settlements) => {
    const { ask } = await soldWorld()
    const reply = await ask(x402Analytics, { period })
    expect(reply).toMatchObject({ period, revenue_atomic: atomic, settlements })
    for (const part of ['wallets', 'products', 'networks', 'per_day'])
      expect([part, sumOf(reply[part] ?? [])]).toEqual([part, BigInt(atomic)])
  })

  test('is of seven days unless asked otherwise, lists wallets shortened and the operator never', async () => {
    const { ask } = await soldWorld()
    const reply = await ask(x402Analytics)
    expect(reply).toMatchObject({
      period: '7d',
      from: '2025-12-29T12:00:00.000Z',
      unique_wallets: 2,
      wallets: [
        {
          wallet: '0x1234…abcd',
          settlements: 2,
          revenue_atomic: '1100',
          first_at: '2026-01-05T10:00:00.000Z',
        },
        { wallet: '7Np41o…T4K2', settlements: 1, revenue_atomic: '1000' },
      ],
      other_wallets: { count: 0, settlements: 0, revenue_atomic: '0' },
      products: [{ product_id: 'market.price' }, { product_id: 'market.btc_price', revenue_atomic: '100' }],
      per_day: [{ date: '2026-01-02' }, { date: '2026-01-05', settlements: 2 }],
    })
    const text = JSON.stringify(reply)
    expect([ALICE, BOB, OPERATOR, '0x0f0f…0f0f'].filter((address) => text.includes(address))).toEqual([])
  })

  test('what is not listed is summed up', async () => {
    const { ask, settle } = createDeskWorld()
    for (let n = 0; n < 130; n++) await settle(`0x${String(n).padStart(40, '0')}`, `${1_000 + n}`, HOUR_MS)
    const reply = await ask(x402Analytics, { period: 'all' })
    expect(reply.mode).toBe('sandbox')
    expect(reply.wallets).toHaveLength(100)
    expect(reply).toMatchObject({
      revenue_atomic: '138385',
      unique_wallets: 130,
      other_wallets: { count: 30, settlements: 30, revenue_atomic: '30435' },
    })
  })

  test('counts the calls of its days, thirty at most', async () => {
    const { ask, store } = createDeskWorld()
    const record = (agoMs: number, productId = 'market.price', status = 200) =>
      store.usage.record({ atMs: NOW_MS - agoMs, productId, via: 'demo', status })
    record(0)
    record(0, 'market.btc_price', 503)
    record(DAY_MS)
    record(2 * DAY_MS)
    record(29 * DAY_MS)
    expect((await ask(x402Analytics, { period: '24h' })).calls).toEqual({
      from: '2026-01-04',
      ...{ paid: 0, demo: 2, holder: 0, free: 0, failed: 1 },
      per_day: [
        expect.objectContaining({ date: '2026-01-04', demo: 1 }),
        expect.objectContaining({ failed: 1 }),
      ],
      products: [
        expect.objectContaining({ product_id: 'market.btc_price', failed: 1 }),
        expect.objectContaining({ product_id: 'market.price', demo: 2 }),
      ],
    })
    for (const period of ['30d', 'all'])
      expect((await ask(x402Analytics, { period })).calls).toMatchObject({ from: '2025-12-07', demo: 4 })
  })

  test('another period is refused', () => {
    expect(x402Analytics.params.safeParse({ period: '1y' }).success).toBe(false)
  })
})

const sumOf = (parts: readonly { revenue_atomic: string }[]) =>
  parts.reduce((sum, part) => sum + BigInt(part.revenue_atomic), 0n)

describe('/x402/stats', () => {
  test('counts calls per product and day by who bore the cost', async () => {
    const { ask, store, settle } = createDeskWorld()
    await settle(ALICE, '1000', HOUR_MS)
    const record = (productId: string, via: 'paid' | 'demo' | 'free', agoMs: number, status = 200) =>
      store.usage.record({ atMs: NOW_MS - agoMs, productId, via, status })
    record('market.price', 'paid', HOUR_MS)
    for (let n = 0; n < 3; n++) record('market.price', 'demo', HOUR_MS)
    record('market.price', 'demo', DAY_MS)
    record('market.price', 'paid', DAY_MS, 503)
    record('market.btc_price', 'demo', 29 * DAY_MS)
    record('market.btc_price', 'demo', 30 * DAY_MS)
    record('service.health', 'free', 0)
    expect(await ask(x402Stats)).toMatchObject({
      mode: 'sandbox',
      days: 30,
      totals: { paid: 1, demo: 5, holder: 0, free: 1, failed: 1 },
      settlements: 1,
      revenue_atomic: '1000',
      unique_payers: 1,
      per_day: [
        { date: '2025-12-07', demo: 1 },
        { date: '2026-01-04', demo: 1, failed: 1 },
        { date: '2026-01-05', paid: 1, demo: 3, free: 1 },
      ],
      products: [
        { product_id: 'market.btc_price', demo: 1, per_day: [{ date: '2025-12-07' }] },
        {
          product_id: 'market.price',
          paid: 1,
          demo: 4,
          failed: 1,
          per_day: [{ demo: 1 }, { paid: 1, demo: 3 }],
        },
        { product_id: 'service.health', free: 1 },
      ],
    })
  })
})

describe('sums of all calls', () => {
  test.each([
    ['/x402/analytics', x402Analytics],
    ['/x402/stats', x402Stats],
  ])('%s is made once in five seconds, whoever asks', async (_, product) => {
    const { services, settle, clock } = createDeskWorld()
    const replies = createReplies(bindGroup(paymentGroup, services).products, () => {})
    const shown = listed(product)
    const ask = async (period = '7d') => await replies.reply(shown, { period })
    const first = await ask()
    await settle(ALICE, '1000', HOUR_MS)
    clock.advance(4_999)
    expect(await ask()).toBe(first)
    expect(await ask('24h')).not.toBe(first)
    clock.advance(1)
    const next = await ask()
    expect(JSON.parse(next.text)).toMatchObject({ timestamp: '2026-01-05T12:00:05.000Z', settlements: 1 })
    expect(JSON.parse(first.text)).toMatchObject({ timestamp: '2026-01-05T12:00:00.000Z', settlements: 0 })
  })
})

describe('/x402/receipts/{id}', () => {
  test('tells a purchase by its id, and never what was sold or how it was signed', async () => {
    const { ask, settle, begin, store } = createDeskWorld()
    await settle(ALICE, '1000', HOUR_MS)
    await begin(BOB, '1000', 0)
    const reply = await ask(receipts, { id: 'purchase-1' })
    expect(reply).toMatchObject({
      state: 'settled',
      request: 'GET /price/BTC?secretly=1',
      payer: ALICE,
      amount_usdc: 0.001,
      amount_atomic: '1000',
      transaction: 'tx-key-1',
      settled_at: '2026-01-05T11:00:00.000Z',
      content_digest: expect.stringMatching(/^sha-256=:/),
    })
    expect(JSON.stringify(reply)).not.toMatch(/sold|hidden/)
    expect(await ask(receipts, { id: 'purchase-2' })).toMatchObject({
      mode: 'sandbox',
      state: 'settling',
      transaction: null,
      receipt: null,
    })
    await store.payments.purgeReplies(NOW_MS)
    expect(await ask(receipts, { id: 'purchase-1' })).toMatchObject({
      content_digest: 'sha-256=:signed:',
      receipt: reply.receipt,
    })
  })

  test('an id nobody has is 404, a malformed one is not even looked up', async () => {
    await expect(createDeskWorld().ask(receipts, { id: 'purchase-9' })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(receipts.params.safeParse({ id: '../../etc' }).success).toBe(false)
  })
})

describe('/api/verify-tx', () => {
  test('hands the claim on and replies with the stored bytes', async () => {
    const { ask, claimed } = createDeskWorld()
    const reply = await ask(verifyTx, verifyTx.sample)
    expect(JSON.stringify(reply)).toBe('{"z":1.5,"a":[{"timestamp":"t"}]}')
    const { tx_hash: txHash, endpoint, wallet, signature } = verifyTx.sample
    expect(claimed).toEqual([{ txHash, endpoint, wallet, signature, client: 'test' }])
  })

  test.each([
    { tx_hash: '0x12' },
    { endpoint: 'price/BTC' },
    { endpoint: 'https://elsewhere.example/' },
    { endpoint: '/price/BTC\nX: y' },
    { endpoint: `/${'x'.repeat(2_048)}` },
    { wallet: '0x12' },
    { signature: '0x123' },
    { signature: 'hello' },
    { signature: undefined },
  ])('%j breaks the schema', (change) => {
    expect(verifyTx.params.safeParse({ ...verifyTx.sample, ...change }).success).toBe(false)
  })
})

test('all of them pass the checks of the catalog', () => {
  expect(createCatalog([paymentGroup]).products).toHaveLength(5)
})
