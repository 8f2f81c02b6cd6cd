import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { usd } from '../core/money.ts'
import { groupOf } from '../testing/catalog/group-of.ts'
import { free, paid } from './access.ts'
import { createCatalog } from './catalog.ts'
import { defineRedirect } from './endpoints/document.ts'
import { defineEndpoint, type ProductOf } from './endpoints/endpoint.ts'
import { defineProtocol } from './endpoints/protocol.ts'

const depth = defineEndpoint({
  id: 'book.depth',
  method: 'GET',
  path: '/books/{asset}/depth',
  aliases: ['/depth/{asset}', { path: '/depth/btc', preset: { asset: 'BTC' } }],
  access: paid(usd('0.005')),
  summary: 'Resting size around the mid price',
  description: 'How much could be bought and sold near the mid price.',
  params: z.object({ asset: z.enum(['BTC', 'ETH']), band_bps: z.int().min(1).max(500).default(25) }),
  sample: { asset: 'BTC' },
  response: z.object({ bid_usd: z.number() }),
  example: { bid_usd: 1 },
  tool: 'get_book_depth',
  handle: (_, { band_bps }) => ({ bid_usd: band_bps }),
})
const other: ProductOf<unknown> = {
  ...depth,
  id: 'book.other',
  path: '/other/{asset}',
  aliases: [],
  tool: 'other',
}

describe('catalog', () => {
  test('lists every address with what it fixes', () => {
    const { routes, paid: sold } = createCatalog([groupOf(depth)])
    expect(routes.map(({ path, preset }) => [path, preset])).toEqual([
      ['/books/{asset}/depth', {}],
      ['/depth/{asset}', {}],
      ['/depth/btc', { asset: 'BTC' }],
    ])
    expect(sold).toEqual([{ ...depth, tag: 'test' }])
  })

  test.each<[string, ProductOf<unknown>, RegExp]>([
    ['id', { ...other, id: depth.id }, /the id "book.depth" twice/],
    ['path of another name', { ...other, path: '/books/{asset}/depth' }, /path "GET books\/{}\/depth" twice/],
    ['alias that is a path', { ...other, aliases: ['/depth/{asset}'] }, /path .* twice/],
    ['tool', { ...other, tool: 'get_book_depth' }, /tool "get_book_depth" twice/],
    ['example of another shape', { ...other, example: { bid_usd: '1' } }, /example does not match/],
    ['sample of another shape', { ...other, sample: { asset: 'DOGE' } }, /sample does not match/],
    ['alias that lacks a param', { ...other, aliases: ['/short'] }, /carries \{\}, not \{asset\}/],
    ['alias with a param too many', { ...other, aliases: ['/x/{asset}/{more}'] }, /carries/],
    ['strange path', { ...other, path: '/a b/{asset}' }, /character/],
    ['look-up of what is free', { ...other, access: free, checkExists: () => {} }, /only what is sold/],
    ['limit of what is paid', { ...other, limit: { name: 'l', calls: 1, windowS: 1 } }, /must say so/],
    ['pieces of what is paid', { ...other, pieces: () => [] }, /only what is free comes in pieces/],
    ['tag of what is paid', { ...other, etag: true }, /can be cached/],
    ['cache of what is paid', { ...other, cacheControl: 'public, max-age=60' }, /can be cached/],
    ['description of nothing', { ...other, description: '' }, /description/],
    ['description directories refuse', { ...other, description: 'x'.repeat(501) }, /description/],
  ])('refuses the same %s', (_, second, message) => {
    expect(() => createCatalog([groupOf(depth, second)])).toThrow(message)
  })

  test('a protocol is free, and only its POST carries a message', () => {
    const text = { schema: z.object({ a: z.int() }), example: { a: 1 } }
    const base = {
      id: 'p',
      path: '/p',
      summary: 'A protocol',
      description: 'Speaks in words of its own.',
      params: z.object({}),
      sample: {},
      answer: text,
      handle: () => ({ status: 200, headers: [], body: '' }),
    } as const
    const made = (changes: object) =>
      createCatalog([groupOf({ ...defineProtocol({ ...base, method: 'GET' }), ...changes })])
    expect(made({}).paid).toEqual([])
    expect(() => made({ access: paid(usd('1')) })).toThrow(/can be paid/)
    expect(() => made({ method: 'POST' })).toThrow(/carries a message/)
    expect(() => made({ message: text })).toThrow(/carries a message/)
    expect(() => made({ answer: { ...text, example: {} } })).toThrow(/example does not match the answer/)
  })

  test('a redirect shares the address space', () => {
    const redirect = defineRedirect({ ...depth, id: 'r', path: '/depth/btc', aliases: [], to: '/depth/eth' })
    expect(() => createCatalog([groupOf(depth, redirect)])).toThrow(/twice/)
  })

  test('the compiler refuses what does not fit together', () => {
    const { changes: _, caller: __, ...plain } = depth
    const good = {
      ...plain,
      access: free,
      params: z.object({ asset: z.string() }),
      response: z.object({ a: z.number() }),
    }
    const base = {
      ...good,
      sample: { asset: 'BTC' },
      example: { a: 1 },
      handle: () => ({ a: 1 }),
      path: '/x/{asset}' as const,
    }
    defineEndpoint(base)
    // @ts-expect-error the path names a param that is not declared
    defineEndpoint({ ...base, path: '/x/{asset}/{more}' as const })
    // @ts-expect-error the example has another shape than the response
    defineEndpoint({ ...base, example: { a: 'one' } })
    // @ts-expect-error the sample has another shape than the params
    defineEndpoint({ ...base, sample: { asset: 7 } })
    // @ts-expect-error the handler returns something else than it declares
    defineEndpoint({ ...base, handle: () => ({ b: 1 }) })
    // @ts-expect-error a price is an amount of money, not a number
    defineEndpoint({ ...base, access: paid(5000n) })
    const { id: _id, ...nameless } = base
    // @ts-expect-error an endpoint without an id cannot be kept in a ledger
    defineEndpoint(nameless)
  })
})
