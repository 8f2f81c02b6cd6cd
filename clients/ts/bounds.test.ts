import { describe, expect, test } from 'vitest'
import { EVM_USDC, SVM_USDC } from '../../src/core/usdc.ts'
import { EVM_NETWORK, SVM_NETWORK } from '../../src/payments/challenge/terms.ts'
import { OFFER, PAY_TO, startSeller } from '../../src/testing/payments/hostile-seller.ts'
import { type BoundOptions, USDC } from './bounds.ts'
import { createTollbook } from './tollbook.ts'
import type { Offer, PaymentRequired } from './x402.ts'

const path = '/price/BTC'
const OTHER = `0x${'cd'.repeat(20)}`
type Terms = (honest: PaymentRequired, call: number) => unknown
const offering =
  (...offers: object[]): Terms =>
  (honest) => ({ ...honest, accepts: offers })
const changed = (change: object) => offering({ ...OFFER, ...change })
const named =
  (nameOf: (honest: string) => unknown): Terms =>
  (honest) => ({ ...honest, resource: { url: nameOf(honest.resource.url) } })

async function open(terms: Terms, options: Partial<BoundOptions> = {}) {
  const seller = await startSeller({ terms })
  return { seller, tollbook: createTollbook({ baseUrl: seller.url, wallet: seller.wallet, ...options }) }
}

test('the dollars that are paid with by default are those that the service takes', () => {
  expect([USDC.base, USDC.solana]).toEqual([
    { network: EVM_NETWORK, asset: EVM_USDC, decimals: 6 },
    { network: SVM_NETWORK, asset: SVM_USDC, decimals: 6 },
  ])
})

describe.concurrent('nothing is signed', () => {
  test.each<[string, Terms, Partial<BoundOptions>, string]>([
    [
      'above the default',
      changed({ amount: '100001' }),
      {},
      'costs 0.100001 USD on eip155:8453, and maxPriceUsd is 0.1',
    ],
    [
      'above the bound',
      changed({ amount: '2500000' }),
      { maxPriceUsd: 0.29 },
      'costs 2.5 USD on eip155:8453, and maxPriceUsd is 0.29',
    ],
    ['where nothing may be paid', changed({ amount: '1' }), { maxPriceUsd: 0 }, 'costs 0.000001 USD'],
    ['for another token', changed({ asset: OTHER }), {}, `asks for ${OTHER} on eip155:8453, which assets`],
    ['on another network', changed({ network: 'eip155:1' }), {}, 'on eip155:1, which assets does not allow'],
    [
      'on a network that was left out',
      changed({}),
      { assets: [USDC.solana] },
      'on eip155:8453, which assets',
    ],
    [
      'for a Solana token of another case',
      changed({ network: SVM_NETWORK, asset: SVM_USDC.toLowerCase() }),
      {},
      'which assets',
    ],
    [
      'to another recipient',
      changed({ payTo: OTHER }),
      { payTo: [PAY_TO] },
      `paid to ${OTHER} on eip155:8453, which payTo`,
    ],
    [
      'for a deposit',
      changed({ scheme: 'batch-settlement' }),
      {},
      'more than a plain transfer (batch-settlement)',
    ],
    [
      'for an allowance',
      changed({ extra: { assetTransferMethod: 'permit2' } }),
      {},
      'more than a plain transfer',
    ],
    [
      'that is good for a day',
      changed({ maxTimeoutSeconds: 86_400 }),
      {},
      'good for 86400 s, more than 3600',
    ],
    ['of a negative amount', changed({ amount: '-1' }), {}, 'terms cannot be read'],
    ['of an amount in another form', changed({ amount: '1e3' }), {}, 'terms cannot be read'],
    ['of an amount that is no text', changed({ amount: 1000 }), {}, 'terms cannot be read'],
    ['for an offer that is none', (honest) => ({ ...honest, accepts: [null] }), {}, 'terms cannot be read'],
    ['where nothing is offered', offering(), {}, 'offers no way to pay'],
    ['for another path', named((url) => url.replace('BTC', 'ETH')), {}, '/price/ETH, and http://'],
    [
      'for another host',
      named((url) => url.replace('127.0.0.1', 'public.test')),
      {},
      'pass its address as publicUrl',
    ],
    ['for a param that was not asked for', named((url) => `${url}?coins=btc`), {}, '?coins=btc, and http://'],
    ['for no address', named(() => 'BTC'), {}, 'the 402 is for BTC'],
    ['for an address that is no text', named(() => 1), {}, 'does not say how to pay'],
    ['where the terms are no object', () => null, {}, 'does not say how to pay'],
    ['in version 1', (honest) => ({ ...honest, x402Version: 1 }), {}, 'as x402 version 2 has it'],
  ])('%s', async (_what, terms, options, told) => {
    const { seller, tollbook } = await open(terms, options)
    await using _ = seller
    const failed = await tollbook.get(path).catch((error) => error)
    expect(failed).toMatchObject({ kind: 'terms', status: 402, payment: undefined })
    expect(failed.message).toContain(told)
    expect([seller.signed, seller.payments]).toEqual([[], []])
  })

  test('when the recipient is not the one of the first call', async () => {
    const { seller, tollbook } = await open(
      (honest, call) => changed({ payTo: call === 0 ? PAY_TO : OTHER })(honest, call),
      { payTo: 'first' },
    )
    await using _ = seller
    await tollbook.get(path)
    await expect(tollbook.get(path)).rejects.toThrow(`it is paid to ${OTHER}`)
    expect(seller.signed).toHaveLength(1)
  })
})

describe.concurrent('what is within the bounds is paid', () => {
  test.each<[string, Terms, Partial<BoundOptions>]>([
    ['at the default itself', changed({ amount: '100000' }), {}],
    ['at a bound that binary fractions miss', changed({ amount: '15700' }), { maxPriceUsd: 0.0157 }],
    [
      'at any price where the caller says so',
      changed({ amount: '9000000000' }),
      { maxPriceUsd: Number.POSITIVE_INFINITY },
    ],
    [
      'in an address of another case',
      changed({ asset: OFFER.asset.toLowerCase() }),
      { payTo: [PAY_TO.toUpperCase().replace('X', 'x')] },
    ],
    [
      'in a token of other decimals',
      changed({ network: 'eip155:1', asset: OTHER, amount: `1${'0'.repeat(17)}` }),
      { assets: [{ network: 'eip155:1', asset: OTHER, decimals: 18 }] },
    ],
    ['by another name of this machine', named((url) => url.replace('127.0.0.1', 'localhost')), {}],
    [
      'by its public name',
      named(() => 'https://public.test/api/price/BTC'),
      { publicUrl: 'https://public.test/api' },
    ],
    ['by any name', named(() => 'https://public.test/'), { publicUrl: 'any' }],
  ])('%s', async (_what, terms, options) => {
    const { seller, tollbook } = await open(terms, options)
    await using _ = seller
    expect((await tollbook.get(path)).data).toEqual({ price: 1 })
    expect(seller.signed).toHaveLength(1)
  })

  test('the wallet sees only the offers that are allowed', async () => {
    const dear: Offer = { ...OFFER, amount: '5000000' }
    const { seller, tollbook } = await open(offering(dear, OFFER, { ...OFFER, asset: OTHER }))
    await using _ = seller
    await tollbook.get(path)
    expect(seller.signed.map(({ accepts }) => accepts)).toEqual([[OFFER]])
  })

  test('one call may cost more or less than the others', async () => {
    const { seller, tollbook } = await open(changed({ amount: '500000' }))
    await using _ = seller
    await expect(tollbook.get(path)).rejects.toThrow('maxPriceUsd is 0.1')
    expect((await tollbook.get(path, { maxPriceUsd: 0.5 })).data).toEqual({ price: 1 })
    await expect(tollbook.get(path, { maxPriceUsd: 0.4 })).rejects.toThrow('maxPriceUsd is 0.4')
    expect(seller.signed).toHaveLength(1)
  })
})

test.each(['127.0.0.1:4020', 'localhost:4020', '', undefined as unknown as string])(
  'an address that no call could go to (%s) is refused at once',
  (baseUrl) => {
    expect(() => createTollbook({ baseUrl })).toThrow(
      new TypeError(`baseUrl is a text that begins with http:// or https://, not ${JSON.stringify(baseUrl)}`),
    )
  },
)

test.each([-1, Number.NaN, '0.1' as unknown as number])(
  'a bound that is none (%s) is refused at once',
  (maxPriceUsd) => {
    expect(() => createTollbook({ baseUrl: 'http://x.test', maxPriceUsd })).toThrow('number of dollars')
  },
)
