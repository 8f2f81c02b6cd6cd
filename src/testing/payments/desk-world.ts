import { createCatalog } from '../../catalog/catalog.ts'
import type { ProductOf } from '../../catalog/endpoints/endpoint.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { DAY_MS, HOUR_MS } from '../../core/time/time.ts'
import type { Store } from '../../ledger/ports/store.ts'
import { createTerms } from '../../payments/challenge/terms.ts'
import { createPaymentDesk } from '../../payments/sales/payment-desk.ts'
import { btcPrice } from '../../products/market/btc-price.ts'
import { marketGroup } from '../../products/market/group.ts'
import { price } from '../../products/market/price.ts'
import type { PaymentServices } from '../../products/payments/services.ts'
import type { KeyLeaf } from '../../record/log/leaf.ts'
import { createMemoryDisk, createMemoryStore } from '../ledger/memory-store.ts'

export const NOW_MS = Date.parse('2026-01-05T12:00:00.000Z')
export const ALICE = `0x1234${'a'.repeat(32)}abcd`
export const BOB = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2'
export const OPERATOR = `0x${'0f'.repeat(20)}`
export const SVM = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

const sampleKeyChange: KeyLeaf = {
  kind: 'key',
  id: 'key-1',
  changed_at: '2026-01-04T12:00:00.000Z',
  reason: 'lost',
  old_key_id: 'did:key:z6Old',
  new_key_id: 'did:key:z6Mk',
  tree_size: 0,
  root_hash: '0'.repeat(64),
  old_signature: null,
  new_signature: 'c2lnbmF0dXJl',
}

const EXPIRED = { reason: 'expired', meaning: 'it is too old', count: 2, lastMs: NOW_MS }

/** The payment desk over a ledger in memory, and a way to ask a product as a surface would. */
export function createDeskWorld() {
  const clock = createManualClock(NOW_MS)
  const store = createMemoryStore(createMemoryDisk())
  const claimed: unknown[] = []
  const payments = createPaymentDesk({
    clock,
    ledger: store.payments,
    usage: store.usage,
    catalog: createCatalog([{ ...marketGroup, endpoints: [price, btcPrice] }]),
    terms: createTerms({ evm: `0x${'ab'.repeat(20)}`, svm: 'Pay1' }, () => 'Fee1'),
    facilitators: {
      health: () => [
        {
          name: 'first',
          networks: [{ network: SVM, verify: 'closed', settle: 'open' }],
          latencyMs: 12,
          lastFault: 'timeout',
          lastFaultAtMs: NOW_MS,
          secret: 'sesame',
        },
      ],
    },
    key: { id: 'did:key:z6Mk', sign: () => Buffer.alloc(0), signAside: async () => Buffer.alloc(0) },
    keyChanges: [sampleKeyChange],
    operatorWallets: [OPERATOR.toUpperCase().replace('0X', '0x')],
    refused: () => ({ sinceMs: NOW_MS, reasons: [EXPIRED] }),
    claimTransfer: async (claim) => {
      claimed.push(claim)
      return { text: '{"z":1.50,"a":[{"timestamp":"t"}]}' }
    },
  })
  const services: PaymentServices = {
    clock,
    payments,
    mode: 'sandbox',
    sourceOf: (source) => `sandbox:${source}`,
  }
  const ask = async (product: ProductOf<PaymentServices>, params: object = {}) =>
    product.response.parse(
      await product.handle(services, product.params.parse(params), { kind: 'free', client: 'test' }),
    ) as Record<string, never>

  return { ask, services, store, clock, claimed, payments, ...createSales(store) }
}

function createSales(store: Store) {
  let count = 0
  const begin = async (
    payer: string,
    amount: string,
    agoMs: number,
    more: { productId?: string; network?: string; isOnlyClaimed?: boolean } = {},
  ) => {
    const key = `key-${++count}`
    const { productId = 'market.price', network = 'eip155:8453' } = more
    await store.payments.claim({
      key,
      id: `purchase-${count}`,
      fingerprint: 'f',
      identifier: undefined,
      productId,
      request: 'GET /price/BTC?secretly=1',
      payer,
      network,
      asset: 'usdc',
      amount,
      payTo: 'us',
      payment: '{"signature":"hidden"}',
      claimedAtMs: NOW_MS - agoMs,
    })
    if (!more.isOnlyClaimed)
      await store.payments.prepare(key, `purchase-${count}`, {
        text: '{"sold":"data"}',
        asOfMs: undefined,
        receipt: undefined,
      })
    return key
  }
  const settle = async (...sale: Parameters<typeof begin>) => {
    const key = await begin(...sale)
    const settledAtMs = NOW_MS - sale[2]
    const receipt = `e30.${Buffer.from('{"contentDigest":"sha-256=:signed:"}').toString('base64url')}.sig`
    await store.payments.settle(key, { transaction: `tx-${key}`, facilitator: 'first', settledAtMs, receipt })
  }
  return { begin, settle }
}

/** Five sales to two wallets over forty days, two purchases of the operator, one payment settling and one only claimed. */
export async function soldWorld() {
  const world = createDeskWorld()
  await world.settle(ALICE, '1000', HOUR_MS)
  await world.settle(ALICE, '100', 2 * HOUR_MS, { productId: 'market.btc_price' })
  await world.settle(BOB, '1000', 3 * DAY_MS, { network: SVM })
  await world.settle(BOB, '1000', 20 * DAY_MS, { network: SVM })
  await world.settle(ALICE, '250000', 40 * DAY_MS)
  await world.settle(OPERATOR, '7000000', HOUR_MS)
  await world.settle(OPERATOR, '1000', HOUR_MS / 2)
  await world.begin(BOB, '1000', 5_000)
  await world.begin(BOB, '1000', 9_000, { isOnlyClaimed: true })
  return world
}
