import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas'
import { extractDiscoveryInfo, validateDiscoveryExtension } from '@x402/extensions/bazaar'
import { extractOffersFromPaymentRequired } from '@x402/extensions/offer-receipt'
import {
  appendPaymentIdentifierToExtensions,
  declarePaymentIdentifierExtension,
} from '@x402/extensions/payment-identifier'
import { describe, expect, test } from 'vitest'
import { createCatalog } from '../../catalog/catalog.ts'
import { fillPath } from '../../catalog/path.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { productGroups } from '../../products/groups.ts'
import { createOffers } from '../receipts/offers.ts'
import { openServiceKey } from '../receipts/service-key.ts'
import { createChallenges } from './challenge.ts'
import { createTerms, EVM_NETWORK, SVM_NETWORK } from './terms.ts'

const catalog = createCatalog(productGroups)
const payTo = { evm: `0x${'ab'.repeat(20)}`, svm: 'P'.repeat(44) }
const payment = createTerms(payTo, () => 'F'.repeat(44))
const clock = createManualClock(Date.UTC(2026, 0, 5))
const offers = createOffers({ key: openServiceKey(mkdtempSync(join(tmpdir(), 'key-'))), clock, mode: 'live' })
const baseUrl = `https://${'signals'.repeat(6)}.example.com`
const ports = { mode: 'live', baseUrl, payment, offers, clock } as const
const { challenge } = createChallenges(ports)
const paidRoutes = catalog.routes.filter(({ endpoint }) => endpoint.access.kind === 'paid')
const decoded = (header: string) => JSON.parse(Buffer.from(header, 'base64').toString())

describe('402 envelope', () => {
  describe.each(paidRoutes.map((route) => [route.path, route] as const))('%s', (path, route) => {
    const resource = fillPath(path, { token: 'BTC' })
    const { header, pageHeader, body } = challenge(route, resource, 2)
    const whole = JSON.parse(body)

    test('is a valid v2 and v1 challenge, all of it in the body', async () => {
      expect(PaymentRequiredV2Schema.safeParse(whole).error).toBeUndefined()
      expect(validateDiscoveryExtension(whole.extensions.bazaar)).toEqual({ valid: true })
      expect(extractOffersFromPaymentRequired(whole)).toHaveLength(whole.accepts.length)
      const v1 = JSON.parse(challenge(route, resource, 1).body)
      expect(PaymentRequiredV1Schema.safeParse(v1).error).toBeUndefined()
    })

    test('says in each header what a payer needs, and the same as the body', () => {
      for (const text of [header, pageHeader]) {
        expect(text).toMatch(/^[A-Za-z0-9+/]+={0,2}$/)
        const brief = decoded(text)
        expect(PaymentRequiredV2Schema.safeParse(brief).error).toBeUndefined()
        const { x402Version, error, accepts } = whole
        expect(brief).toMatchObject({ x402Version, error, accepts })
        expect([brief.resource.url, brief.resource.description]).toEqual([
          `${baseUrl}${resource}`,
          route.endpoint.summary,
        ])
      }
    })

    test('lets a stock client name its purchase, by the header or by the body', () => {
      expect(whole.extensions['payment-identifier']).toEqual(declarePaymentIdentifierExtension())
      const id = 'pay_0123456789abcdef'
      for (const { extensions } of [decoded(header), decoded(pageHeader), JSON.parse(body)])
        expect(appendPaymentIdentifierToExtensions(extensions, id)).toMatchObject({
          'payment-identifier': { info: { required: false, id } },
        })
    })

    test('lets a facilitator list the product from the payment that echoes the header', () => {
      const { extensions, resource: named, accepts } = decoded(header)
      const found = extractDiscoveryInfo(
        { x402Version: 2, resource: named, extensions, accepted: accepts[0], payload: {} },
        accepts[0],
      )
      expect(found).toMatchObject({
        resourceUrl: `${baseUrl}${path.replace(/\{(\w+)\}/, ':$1')}`,
        description: route.endpoint.summary,
        // The longest summary leaves no room for it.
        ...(path !== '/token/{addr}/diagnose' && { serviceName: 'Tollbook' }),
        method: 'GET',
        discoveryInfo: { input: { type: 'http', method: 'GET' } },
      })
      const { pathParams = {}, queryParams = {} } = whole.extensions.bazaar.info.input
      expect(found?.discoveryInfo.input).toMatchObject({
        ...(path.includes('{') && { pathParams }),
        ...(Object.keys(queryParams).length > 0 && { queryParams }),
      })
    })
  })

  test('says in a sentence what its code means, in the body alone', () => {
    const [route] = paidRoutes as [(typeof paidRoutes)[number]]
    const { body, header } = challenge(route, '/price/BTC', 2, 'insufficient_funds')
    expect(JSON.parse(body)).toMatchObject({
      error: 'insufficient_funds',
      detail: 'The payer cannot cover the amount. What to pay, where and how is in accepts.',
    })
    expect(decoded(header)).not.toHaveProperty('detail')
    expect(JSON.parse(challenge(route, '/price/BTC', 1).body)).not.toHaveProperty('detail')
  })

  test('gives up what is not needed, bit by bit, when its address is long', () => {
    const [route] = paidRoutes as [(typeof paidRoutes)[number]]
    const { challenge } = createChallenges({ ...ports, baseUrl: 'https://a.example' })
    const kept = [10, 90, 135, 150, 200, 249].map((length) => {
      const { header } = challenge(route, `/${'x'.repeat(length)}`, 2)
      const { extensions, resource, accepts } = decoded(header)
      expect(accepts).toHaveLength(2)
      expect(extensions).toHaveProperty('payment-identifier')
      const known = extensions.bazaar?.schema.properties.input.properties ?? {}
      return [Object.keys(known), Object.keys(resource)]
    })
    expect(kept).toEqual([
      [
        ['queryParams', 'pathParams'],
        ['url', 'description', 'mimeType', 'serviceName'],
      ],
      [['queryParams'], ['url', 'description', 'mimeType', 'serviceName']],
      [['queryParams'], ['url', 'description', 'serviceName']],
      [['queryParams'], ['url', 'description']],
      [[], ['url', 'description', 'mimeType']],
      [[], ['url', 'description', 'mimeType']],
    ])
    const { pageHeader } = challenge(route, `/${'x'.repeat(330)}`, 2)
    expect(Object.keys(decoded(pageHeader).resource)).toEqual(['url'])
  })

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
        payTo: payTo.svm,
        extra: { feePayer: 'F'.repeat(44) },
      },
    ])
    expect(resource.url).toBe(`${baseUrl}/price/BTC?x=1`)
  })

  test.each(['sandbox', 'paper'] as const)('says in %s mode that the money is play money', (mode) => {
    const [route] = paidRoutes as [(typeof paidRoutes)[number]]
    const play = createChallenges({ ...ports, mode })
    const { header, body } = play.challenge(route, '/price/BTC', 2)
    for (const { resource } of [JSON.parse(body), decoded(header)])
      expect(resource.serviceName).toBe('Tollbook (play money)')
    expect(JSON.parse(body).resource.description).toMatch(/^Play money, worth nothing\. /)
    const [first] = JSON.parse(play.challenge(route, '/price/BTC', 1).body).accepts
    expect(first.description).toMatch(/^Play money, worth nothing\. /)
    const live = challenge(route, '/price/BTC', 2)
    expect(live.body + Buffer.from(live.header, 'base64')).not.toMatch(/play money/i)
  })

  test('is built once per address and remembered within bounds', () => {
    const [route] = paidRoutes as [(typeof paidRoutes)[number]]
    expect(challenge(route, '/price/BTC', 2)).toBe(challenge(route, '/price/BTC', 2))
    for (let n = 0; n < 5_000; n++) challenge(route, `/price/${n}`, 2)
    expect(challenge(route, '/price/4999', 2)).toBe(challenge(route, '/price/4999', 2))
  })

  test('is not built anew after a flood of addresses that nobody asks for again, and the flood is forgotten', () => {
    const [route] = paidRoutes as [(typeof paidRoutes)[number]]
    let built = 0
    const counted = {
      extension: (...asked: Parameters<typeof offers.extension>) => {
        built++
        return offers.extension(...asked)
      },
    }
    const fresh = createChallenges({ ...ports, offers: counted })
    const honest = fresh.challenge(route, '/price/BTC', 2)
    expect(fresh.challenge(route, '/price/BTC', 2)).toBe(honest)
    for (let n = 0; n < 3_000; n++) fresh.challenge(route, `/price/${n}`, 2)
    expect(built).toBe(3_001)
    expect(fresh.challenge(route, '/price/BTC', 2)).toBe(honest)
    fresh.challenge(route, '/price/0', 2)
    expect(built).toBe(3_002)
  })

  test('names another fee payer as soon as the terms do', () => {
    const [route] = paidRoutes as [(typeof paidRoutes)[number]]
    let feePayer = 'A'.repeat(44)
    const changing = createChallenges({ ...ports, payment: createTerms(payTo, () => feePayer) })
    const named = () => {
      const { body, header } = changing.challenge(route, '/price/BTC', 2)
      return [JSON.parse(body), decoded(header)].map(({ accepts }) => accepts[1].extra.feePayer)
    }
    expect(named()).toEqual([feePayer, feePayer])
    feePayer = 'B'.repeat(44)
    expect(named()).toEqual([feePayer, feePayer])
    const again = changing.challenge(route, '/price/BTC', 2)
    expect(changing.challenge(route, '/price/BTC', 2)).toBe(again)
  })

  test('without a fee payer Solana is not offered', () => {
    const terms = createTerms(payTo, () => undefined)
    expect(terms.accepts('1')).toHaveLength(1)
    const suspended = { network: SVM_NETWORK, amount: '1', payTo: payTo.svm, extra: { feePayer: 'F' } }
    expect(terms.suspended(SVM_NETWORK, '1', 'F')).toMatchObject(suspended)
    expect(terms.suspended(EVM_NETWORK, '1', 'F')).toBeUndefined()
    expect(createTerms({ evm: payTo.evm }).suspended(SVM_NETWORK, '1', 'F')).toBeUndefined()
    expect(createTerms(payTo, () => 'F').suspended(SVM_NETWORK, '1', 'F')).toBeUndefined()
  })
})
