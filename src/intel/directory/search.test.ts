import { beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../core/time/time.ts'
import { createSeeded } from '../../testing/seeded.ts'
import type { Listing } from './listing.ts'
import { popularityOf, scoreOf } from './score.ts'
import { searchIndex } from './search.ts'
import { buildIndex, NO_INDEX, type SearchIndex } from './search-index.ts'
import { fromBazaar, fromPartner } from './to-listing.ts'

const NOW_MS = Date.UTC(2026, 9, 1)
const ALL = new Set(['bazaar', 'ecosystem'] as const)

type Words = { url: string; name?: string; description?: string; tags?: readonly string[]; payers?: number }

function resource({ url, name = '', description = '', tags = [], payers }: Words): Listing {
  const listing = fromBazaar({
    ...{ url, name, description, tags, kind: 'http', terms: [] },
    calls30d: payers === undefined ? undefined : payers * 10,
    payers30d: payers,
    lastCalledMs: NOW_MS,
    updatedMs: NOW_MS,
  })
  if (!listing) throw new Error(`${url} cannot be listed`)
  return listing
}
function partner(url: string, name: string, category = 'Services/Endpoints'): Listing {
  const listing = fromPartner({ url, name, description: '', category, networks: [] })
  if (!listing) throw new Error(`${url} cannot be listed`)
  return listing
}
const find = (
  index: SearchIndex,
  text: string,
  more: { limit?: number; category?: Listing['category'] } = {},
) => searchIndex(index, { text, category: more.category, lists: ALL, limit: more.limit ?? 20 })
const hostsOf = (index: SearchIndex, text: string, more = {}) =>
  find(index, text, more).hits.map(({ listing }) => listing.host)
const search = async (listings: Listing[], text: string, more = {}) =>
  hostsOf(await buildIndex(listings, NOW_MS), text, more)

describe('the order of results', () => {
  it('puts names before tags before descriptions', async () => {
    const listings = [
      resource({ url: 'https://c.example/x', name: 'Data', description: 'Tides of any harbour' }),
      resource({ url: 'https://b.example/x', name: 'Data', tags: ['tides'] }),
      resource({ url: 'https://a.example/x', name: 'Tides' }),
    ]
    expect(await search(listings, 'tides')).toEqual(['a.example', 'b.example', 'c.example'])
  })

  it('puts what has all words before what has one', async () => {
    const listings = [
      resource({ url: 'https://a.example/x', name: 'Tide', description: 'Sea' }),
      resource({ url: 'https://b.example/x', name: 'Sea', description: 'Tide chart' }),
    ]
    expect(await search(listings, 'tide chart')).toEqual(['b.example', 'a.example'])
  })

  it('lets rare words decide', async () => {
    const common = Array.from({ length: 50 }, (_, n) =>
      resource({ url: `https://n${n}.example`, name: 'Data' }),
    )
    const rare = resource({ url: 'https://rare.example', name: 'Tides', description: 'Data' })
    expect((await search([...common, rare], 'data tides'))[0]).toBe('rare.example')
  })

  it('prefers the more used of equals, and never the more used to the clearly more relevant', async () => {
    const equal = [
      resource({ url: 'https://a.example/x', name: 'Tides', payers: 2 }),
      resource({ url: 'https://b.example/x', name: 'Tides', payers: 900 }),
    ]
    expect(await search(equal, 'tides')).toEqual(['b.example', 'a.example'])
    const unequal = [
      resource({ url: 'https://a.example/x', name: 'Data', description: 'Tides', payers: 1e9 }),
      resource({ url: 'https://b.example/x', name: 'Tides' }),
    ]
    expect(await search(unequal, 'tides')).toEqual(['b.example', 'a.example'])
    expect(scoreOf(0.5, 1, 1)).toBe(0.5)
    expect(scoreOf(0.5, 0, 0)).toBe(0.4)
    expect(popularityOf(1, 1)).toBe(1)
  })

  it('is the same whatever order the lists have', async () => {
    const random = createSeeded(3)
    const listings = Array.from({ length: 40 }, (_, n) =>
      resource({ url: `https://n${n}.example/x`, name: `Tides ${n % 3}`, payers: n % 2 }),
    )
    const mixed = [...listings].sort(() => random.fraction() - 0.5)
    for (const text of ['tides', ''])
      expect(await search(mixed, text, { limit: 15 })).toEqual(await search(listings, text, { limit: 15 }))
  })

  it('shows the best of a host and counts the others', async () => {
    const index = await buildIndex(
      [
        resource({ url: 'https://a.example/tides', name: 'Tides', tags: ['tides'] }),
        resource({ url: 'https://a.example/tides/chart', name: 'Chart of tides for all' }),
        resource({ url: 'https://www.a.example/moon', name: 'Moon' }),
        partner('https://a.example', 'A', 'Infrastructure & Tooling'),
        partner('https://code.example/one', 'Tides one'),
        partner('https://code.example/two', 'Tides two'),
      ],
      NOW_MS,
    )
    const { hits, matching, matchingListings } = find(index, 'tides')
    expect(hits.map(({ listing }) => listing.url)).toEqual([
      'https://a.example/tides',
      'https://code.example/one',
      'https://code.example/two',
    ])
    expect(hits[0]).toMatchObject({ matchingOfHost: 2, listedOfHost: 4, lists: ['bazaar', 'ecosystem'] })
    expect([matching, matchingListings]).toEqual([3, 4])
    expect(hostsOf(index, '', { category: 'infrastructure-tooling' })).toEqual(['a.example'])
  })
})

describe('what is looked for', () => {
  let index: SearchIndex
  beforeAll(async () => {
    const names = ['Coin prices', 'Weather', 'Café finder', '天气预报', 'Müller Data', 'Geocoder']
    index = await buildIndex(
      names.map((name, n) => resource({ url: `https://n${n}.example/x`, name })),
      NOW_MS,
    )
  })

  it.each([
    ['price', 'n0.example'],
    ['PRICES!', 'n0.example'],
    ['wether', 'n1.example'],
    ['waether', 'n1.example'],
    ['weath', 'n1.example'],
    ['cafe', 'n2.example'],
    ['天气', 'n3.example'],
    ['muller', 'n4.example'],
    ['ｇｅｏｃｏｄｅｒ', 'n5.example'],
    ['n5.example', 'n5.example'],
  ])('%s', (text, host) => {
    expect(hostsOf(index, text)[0]).toBe(host)
  })

  it('says why', () => {
    expect(find(index, 'wether zzzz')).toMatchObject({
      unknownWords: ['zzzz'],
      hits: [{ matched: [{ word: 'wether', as: 'weather', in: ['name'] }] }],
    })
  })

  it.each(['', ' ', 'zzzz', '?', 'the', '\u0000', '🙂', 'a'.repeat(200), '__proto__', 'constructor'])(
    'bears %j',
    (text) => {
      const { hits } = find(index, text)
      expect(hits).toHaveLength(text.trim() === '' ? 6 : 0)
      expect(find(NO_INDEX, text).hits).toEqual([])
    },
  )
})

describe('stuffing', () => {
  const honest = { url: 'https://a.example/x', name: 'Tide service', description: 'Water levels of harbours' }
  it.each([
    ['a name', { name: 'Tide tide tide tide tide tide tide tide tide' }],
    ['a description', { description: `${honest.description} ${'tide '.repeat(60)}` }],
    ['tags', { tags: Array.from({ length: 8 }, (_, n) => `tide tide ${n} tide`) }],
    ['a dictionary', { name: 'Tide weather price news map image text token wallet coin flight car home' }],
    ['an address', { url: `https://b.example/${'tide/'.repeat(60)}` }],
  ])('of %s does not beat a plain listing of the same', async (_, more) => {
    const plain = resource({ ...honest, tags: ['tide'], url: 'https://a.example/tide' })
    const stuffed = resource({ ...honest, url: 'https://b.example/x', ...more })
    expect((await search([stuffed, plain], 'tide'))[0]).toBe('a.example')
  })

  const POPULAR =
    'weather news price image scrape translate map flight token wallet coin crypto market data agent search text audio video email domain risk score swap chain bitcoin trading sentiment signal forecast'
  const HONEST = [
    resource({
      url: 'https://honest1.example/v1/quotes',
      name: 'Kestrel Markets',
      description: 'The price of any token on Base, with volume and liquidity.',
      tags: ['token', 'price', 'base'],
    }),
    resource({
      url: 'https://honest2.example/token/price',
      name: 'Token prices',
      description: 'What a token costs now.',
    }),
    resource({
      url: 'https://honest3.example/price',
      name: 'Larkspur price feed',
      description: 'Reads what a token trades at in all its pools.',
      tags: ['price', 'token', 'dex'],
    }),
  ]
  const STUFFED: readonly [how: string, words: Omit<Words, 'url'>][] = [
    ['words repeated in the description', { name: 'Token price', description: 'token price '.repeat(30) }],
    ['words repeated in the name', { name: 'token price token price token price token price' }],
    ['one word repeated elsewhere', { name: 'Token price', tags: ['token'], description: 'api '.repeat(90) }],
    ['every popular word in the name', { name: POPULAR, tags: ['api'] }],
    ['every popular word in the tags', { name: 'Token price', tags: POPULAR.match(/(?:\w+ ?){1,5}/g) ?? [] }],
    ['every popular word in the description', { name: 'Best API', description: POPULAR }],
    ['every popular word everywhere', { name: POPULAR, description: POPULAR, tags: POPULAR.split(' ') }],
    ['the query as the name of something else', { name: 'Token price', description: 'Pictures of cats.' }],
  ]
  it.each(STUFFED)('with %s stands below all honest entries', async (_, words) => {
    const stuffed = resource({ url: 'https://stuffed.example/api', payers: 40, ...words })
    const other = ['Weather', 'News', 'Maps'].map((name) =>
      resource({ url: `https://${name.toLowerCase()}.example/x`, name }),
    )
    for (const query of ['token price', 'price of a token', 'token prices']) {
      const found = await search([stuffed, ...HONEST, ...other], query)
      expect(found.slice(0, 3).toSorted(), query).toEqual([
        'honest1.example',
        'honest2.example',
        'honest3.example',
      ])
    }
  })

  it('of names below one own name gives one result, and words in them no first place', async () => {
    const words = { name: 'Weather Forecast', tags: ['weather', 'forecast'] }
    const honest = [
      resource({
        ...words,
        url: 'https://api.weatherco.com/v1/x',
        description: 'Hourly weather forecast for any place.',
        payers: 1_000,
      }),
      resource({ url: 'https://api.otherco.com/wx', name: 'Weather API', description: 'Forecast by city.' }),
    ]
    const stuffed = Array.from({ length: 50 }, (_, n) =>
      resource({
        ...words,
        url: `https://weather-forecast.n${n}.evil.com/weather-forecast`,
        description: 'Weather forecast.',
      }),
    )
    for (const text of ['weather forecast', 'weather']) {
      const hosts = await search([...stuffed, ...honest], text)
      expect(hosts).toHaveLength(3)
      expect(hosts[0]).toBe('api.weatherco.com')
    }
  })

  it('of an address counts as much as others pay for it', async () => {
    const listings = [undefined, 5, 500].map((payers, n) =>
      resource({ url: `https://n${n}.example/tide`, name: 'Data', ...(payers && { payers }) }),
    )
    const { hits } = find(await buildIndex(listings, NOW_MS), 'tide')
    const [first = 0, second = 0, third = 0] = hits.map(({ relevance }) => relevance)
    expect(hits.map(({ listing }) => listing.host)).toEqual(['n2.example', 'n1.example', 'n0.example'])
    expect([first > second, second > third, third > 0]).toEqual([true, true, true])
    expect(third).toBeCloseTo(0.05, 6)
  })

  it('in one field costs the others as well', async () => {
    const plain = resource({ url: 'https://a.example/x', name: 'Page', description: 'Tide charts by hour.' })
    const stuffed = resource({ url: 'https://b.example/x', name: 'Tide', description: 'api '.repeat(90) })
    expect(await search([stuffed, plain], 'tide')).toEqual(['a.example', 'b.example'])
  })

  it('of calls by one wallet counts as one customer', async () => {
    const own = { ...resource({ url: 'https://a.example/x', name: 'Tide', payers: 1 }), calls30d: 1e9 }
    const used = resource({ url: 'https://b.example/x', name: 'Tide', payers: 30 })
    expect(await search([own, used], 'tide')).toEqual(['b.example', 'a.example'])
    expect(await search([own, used], '')).toEqual(['b.example', 'a.example'])
  })
})

it('forgets old use by half a month by month', async () => {
  const at = (days: number) => ({
    ...resource({ url: 'https://a.example' }),
    lastCalledMs: NOW_MS - days * DAY_MS,
  })
  const { freshness } = await buildIndex([at(0), at(30), at(60), at(-5)], NOW_MS)
  expect([...freshness]).toEqual([1, 0.5, 0.25, 1])
})
