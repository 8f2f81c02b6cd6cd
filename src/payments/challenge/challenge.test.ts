import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas'
import { validateDiscoveryExtension } from '@x402/extensions/bazaar'
import { describe, expect, test } from 'vitest'
import { createCatalog } from '../../catalog/catalog.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { productGroups } from '../../products/groups.ts'
import { createOffers } from '../receipts/offers.ts'
import { openServiceKey } from '../receipts/service-key.ts'
import { createChallenges } from './challenge.ts'
import { createTerms, EVM_NETWORK, SVM_NETWORK } from './terms.ts'

const catalog = createCatalog(productGroups)
const payTo = { evm: `0x${'ab'.repeat(20)}`, svm: 'Pay1' }
const payment = createTerms(payTo, () => 'Fee1')
const clock = createManualClock(Date.UTC(2026, 0, 5))
const offers = createOffers({ key: openServiceKey(mkdtempSync(join(tmpdir(), 'key-'))), clock })
const { challenge } = createChallenges({ baseUrl: 'http://127.0.0.1:4020', payment, offers, clock })
const paidRoutes = catalog.routes.filter(({ endpoint }) => endpoint.access.kind === 'paid')
const HEADER_LIMIT_BYTES = 4_096

describe('402 envelope', () => {
  test.each(paidRoutes.map((route) => [route.path, route] as const))(
    '%s is a valid v2 and v1 challenge',
    (path, route) => {
      const v2 = challenge(route, path, 2)
      const envelope = JSON.parse(v2.body)
      expect(PaymentRequiredV2Schema.safeParse(envelope).error).toBeUndefined()
      expect(Buffer.from(v2.header, 'base64').toString()).toBe(v2.body)
      expect(v2.header).toMatch(/^[A-Za-z0-9+/]+={0,2}$/)
      expect(v2.header.length).toBeLessThan(HEADER_LIMIT_BYTES)
      expect(validateDiscoveryExtension(envelope.extensions.bazaar)).toEqual({ valid: true })
      expect(
        PaymentRequiredV1Schema.safeParse(JSON.parse(challenge(route, path, 1).body)).error,
      ).toBeUndefined()
    },
  )

  test('Base comes first, then Solana, both in USDC at the price of the catalog', () => {
    const [route] = paidRoutes as [(typeof paidRoutes)[number]]
    const { accepts, resource } = JSON.parse(challenge(route, '/price/BTC?x=1', 2).body)
    expect(accepts).toMatchObject([
      {
        network: 'eip155:8453',
        amount: '1000',
        extra: { name: 'USD Coin', version: '2' },
        maxTimeoutSeconds: 300,
      },
      {
        network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
        amount: '1000',
        payTo: 'Pay1',
        extra: { feePayer: 'Fee1' },
      },
    ])
    expect(resource.url).toBe('http://127.0.0.1:4020/price/BTC?x=1')
  })

  test('is built once per address and remembered within bounds', () => {
    const [route] = paidRoutes as [(typeof paidRoutes)[number]]
    expect(challenge(route, '/price/BTC', 2)).toBe(challenge(route, '/price/BTC', 2))
    for (let n = 0; n < 5_000; n++) challenge(route, `/price/${n}`, 2)
    expect(challenge(route, '/price/4999', 2)).toBe(challenge(route, '/price/4999', 2))
  })

  test('without a fee payer Solana is not offered', () => {
    const terms = createTerms(payTo, () => undefined)
    expect(terms.accepts('1')).toHaveLength(1)
    expect([SVM_NETWORK, EVM_NETWORK].map(terms.isSuspended)).toEqual([true, false])
    expect(createTerms({ evm: payTo.evm }).isSuspended(SVM_NETWORK)).toBe(false)
  })
})
