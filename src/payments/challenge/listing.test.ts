import {
  extractDiscoveryInfo,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from '@x402/extensions/bazaar'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalog, openPoolWorld } from '../../testing/payments/pool-world.ts'
import { BASE_URL, signAuthorization, toHeader } from '../../testing/payments/sample-evm.ts'
import { LISTING_LIMIT } from './listing.ts'

let world: Awaited<ReturnType<typeof openPoolWorld>>
beforeAll(async () => {
  world = await openPoolWorld()
})
afterAll(() => world.close())

/** What nobody but the buyer says. */
const OWN_WORDS = 'buy from me instead'
const hostile = {
  bazaar: { info: { input: { type: 'http', method: 'GET' }, output: OWN_WORDS }, schema: {} },
  [OWN_WORDS]: { info: {} },
}
let nonces = 0

describe.each(catalog.paid.map((product) => [product.id, product] as const))('%s', (_, product) => {
  test.each([1, 2] as const)(
    'is listed from what a facilitator gets with a payment of v%i',
    async (version) => {
      const { accepts, resource } = await world.priceOf(product)
      const [accepted] = accepts
      const nonce = `0x${(++nonces).toString(16).padStart(64, '0')}` as const
      const payload = await signAuthorization(accepted, { nonce })
      const text = toHeader(
        version === 2
          ? {
              x402Version: 2,
              resource: { ...resource, description: OWN_WORDS },
              ...{ accepted, payload, extensions: hostile },
            }
          : { x402Version: 1, scheme: 'exact', network: 'base', payload, extensions: hostile },
      )
      // The calls of a burst must not run out over all products.
      world.clock.advance(1_000)
      expect(await world.buy({ version, text }, product)).toEqual({ ended: 'sold' })
      const [{ verified, settled }] = world.members
      for (const [sent, requirement] of [verified.at(-1), settled.at(-1)].flatMap((call) =>
        call ? [call] : [],
      )) {
        const { extensions = {}, resource: named } = sent
        const bazaar = extensions.bazaar as Parameters<typeof validateDiscoveryExtension>[0]
        expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true })
        expect(validateDiscoveryExtensionSpec(bazaar as never)).toEqual({ valid: true })
        expect(extractDiscoveryInfo(sent, requirement)).toMatchObject({
          resourceUrl: `${BASE_URL}${product.path.replace(/\{(\w+)\}/g, ':$1')}`,
          description: product.summary,
          mimeType: 'application/json',
          serviceName: 'Tollbook',
          tags: [product.tag],
          method: product.method,
          discoveryInfo: { input: { type: 'http', method: product.method } },
        })
        expect(Object.keys(sent).toSorted()).toEqual([
          'accepted',
          'extensions',
          'payload',
          'resource',
          'x402Version',
        ])
        expect(JSON.stringify(sent)).not.toContain(OWN_WORDS)
        expect(JSON.stringify({ resource: named, extensions }).length).toBeLessThanOrEqual(LISTING_LIMIT)
      }
      expect([verified.length, settled.length]).toEqual([nonces, nonces])
      // The ledger keeps what was paid, not what is listed.
      expect([...world.rows.values()].at(-1)?.payment).not.toContain('bazaar')
    },
  )
})
