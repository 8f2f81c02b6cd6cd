import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import {
  createHandMadeVenue,
  type HandMadeVenue,
  plainMarket,
  windowMarket,
} from '../../../testing/sandbox/hand-made-venue.ts'
import { type Internet, startInternet } from '../../internet.ts'
import { createSimulatedMarket, type SimulatedMarket } from '../../market/simulated-market.ts'
import type { VenueMarket } from '../../prediction/venue.ts'

const START_MS = Date.UTC(2026, 4, 6, 1)
const START_S = START_MS / 1000

let simulation: SimulatedMarket
let venue: HandMadeVenue
let internet: Internet
let window: VenueMarket
let vote: readonly VenueMarket[]

beforeEach(async () => {
  const cadence = { bookEveryMs: 1000, tradesPerSecond: 0.1 }
  simulation = createSimulatedMarket({ seed: 'polymarket', startMs: START_MS, cadence })
  venue = createHandMadeVenue(simulation.nowMs)
  internet = await startInternet({ market: simulation, clock: createManualClock(START_MS), venue })
  window = windowMarket(START_S)
  vote = ['anna', 'bert'].map((name) => plainMarket(`${name}-wins`, 'harbour-vote'))
  for (const market of [window, ...vote]) venue.list(market)
  venue.setBook(
    window,
    [
      [5000, 88_180_000],
      [4900, 357_800_000],
    ],
    [[5100, 251_520_000]],
  )
})
afterEach(() => internet.close())

const get = async (base: 'GAMMA' | 'CLOB' | 'POLY_WEB', path: string, init?: RequestInit) => {
  const reply = await fetch(internet.urls[base] + path, init)
  return { status: reply.status, headers: reply.headers, body: JSON.parse(await reply.text()) }
}
const post = (path: string, body: unknown) =>
  get('CLOB', path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })

describe('Gamma', () => {
  it('lists a live window by its slug', async () => {
    const { body } = await get('GAMMA', `/events/slug/${window.slug}`)
    const [market] = body.markets
    expect(body).toMatchObject({ slug: window.slug, closed: false, seriesSlug: 'btc-up-or-down-5m' })
    expect(body.startTime).toBe('2026-05-06T01:00:00Z')
    expect(market).toMatchObject({
      outcomes: '["Up", "Down"]',
      clobTokenIds: JSON.stringify(window.tokenIds).replace(',', ', '),
      outcomePrices: '["0.505", "0.495"]',
      eventStartTime: '2026-05-06T01:00:00Z',
      endDate: '2026-05-06T01:05:00Z',
      bestBid: 0.5,
      bestAsk: 0.51,
      spread: 0.01,
      orderMinSize: 5,
      orderPriceMinTickSize: 0.01,
      volume: '49864.65123',
      liquidity: String(0.5 * 88.18 + 0.49 * 357.8 + 0.49 * 251.52),
      umaResolutionStatuses: '[]',
    })
    // The row is made a day before the window opens.
    expect(market.startDate.slice(0, 16)).toBe('2026-05-05T01:04')
    expect(market).not.toHaveProperty('closedTime')
  })

  it('tells the prices a minute after the end and the winner once it is resolved', async () => {
    const read = async () => (await get('GAMMA', `/events/slug/${window.slug}`)).body
    await internet.advanceTo(window.endsMs + 59_000)
    expect(await read()).not.toHaveProperty('eventMetadata')
    await internet.advanceTo(window.endsMs + 60_000)
    expect((await read()).eventMetadata).toEqual({
      priceToBeat: simulation.oracle.at('BTC', START_S).twap60Usd,
      finalPrice: simulation.oracle.at('BTC', START_S + 300).twap60Usd,
    })
    venue.resolve(window, 1)
    const { closed, closedTime, markets } = await read()
    expect([closed, closedTime]).toEqual([true, '2026-05-06T01:06:00Z'])
    expect(markets[0]).toMatchObject({
      closed: true,
      closedTime: '2026-05-06 01:06:00+00',
      outcomePrices: '["0", "1"]',
      umaResolutionStatus: 'resolved',
      acceptingOrders: false,
    })
    expect(markets[0]).not.toHaveProperty('liquidity')
  })

  it('hides closed markets unless they are asked for', async () => {
    const count = async (query: string) => (await get('GAMMA', `/markets?${query}`)).body.length
    const bySlug = `slug=${window.slug}`
    const asked = () => Promise.all([count(bySlug), count(`${bySlug}&closed=true`)])
    expect(await asked()).toEqual([1, 0])
    venue.resolve(window, 0)
    expect(await asked()).toEqual([0, 1])
    expect(await count(`condition_ids=${vote[0]?.conditionId}&condition_ids=${vote[1]?.conditionId}`)).toBe(2)
    expect(await count(`clob_token_ids=${vote[0]?.tokenIds[1]}`)).toBe(1)
  })

  it('groups markets to events, filters, orders and pages them', async () => {
    const slugs = async (query: string) =>
      (await get('GAMMA', `/events?${query}`)).body.map(({ slug }: { slug: string }) => slug)
    expect(await slugs('order=volume24hr&ascending=false')).toEqual(['harbour-vote', window.slug])
    expect(await slugs('order=volume24hr&ascending=true')).toEqual([window.slug, 'harbour-vote'])
    expect(await slugs('order=volume24hr&ascending=false&limit=1&offset=1')).toEqual([window.slug])
    expect(await slugs('tag_slug=politics')).toEqual(['harbour-vote'])
    expect(await slugs('end_date_max=2026-05-06T01:05:00Z')).toEqual([window.slug])
    expect(await slugs('end_date_max=2026-05-06T01:04:59Z')).toEqual([])
    expect(await slugs('end_date_min=2026-05-06T01:05:01Z')).toEqual(['harbour-vote'])
    expect(await slugs('closed=true')).toEqual([])
    expect(await slugs('slug=harbour-vote')).toEqual(['harbour-vote'])
    const { body } = await get('GAMMA', '/events/slug/harbour-vote')
    expect(body.markets).toHaveLength(2)
    expect((await get('GAMMA', `/events/${body.id}`)).body.slug).toBe('harbour-vote')
    const found = (await get('GAMMA', '/public-search?q=harbour')).body
    expect(found.pagination).toEqual({ hasMore: false, totalResults: 1 })
    expect((await get('GAMMA', '/tags')).body).toHaveLength(5)
    expect((await get('GAMMA', '/series?slug=btc-up-or-down-5m')).body).toMatchObject([
      { id: '10684', volume24hr: 1827.651229, volume: 49_864.65123 },
    ])
    const named = `/markets?slug=${vote[0]?.slug}&include_tag=true`
    expect((await get('GAMMA', named)).body).toMatchObject([{ tags: [{ slug: 'politics', id: '2' }] }])
  })

  it('says how prices changed since then, where they are known', async () => {
    const [first] = vote
    if (!first) throw new Error('no market')
    venue.setBook(first, [[4400, 1e6]], [[4600, 1e6]])
    venue.setPast((atMs) => (atMs < START_MS - 7_200_000 ? undefined : 4100))
    const { body } = await get('GAMMA', `/markets/slug/${first.slug}`)
    expect(body).toMatchObject({ oneHourPriceChange: 0.04 })
    expect(body).not.toHaveProperty('oneDayPriceChange')
    const [token, other] = first.tokenIds
    const history = async (query: string) => (await get('CLOB', `/prices-history?${query}`)).body.history
    expect(await history(`market=${token}&interval=1h&fidelity=30`)).toEqual(
      [-3600, -1800, 0].map((ago) => ({ t: START_S + ago, p: 0.41 })),
    )
    expect((await history(`market=${other}&interval=1h`)).at(0).p).toBe(0.59)
    expect(
      await history(`market=${token}&startTs=${START_S - 600}&endTs=${START_S - 1}&fidelity=5`),
    ).toHaveLength(2)
    expect((await history(`market=${token}&interval=max`)).length).toBeLessThanOrEqual(1_501)
    expect(await history('market=1&interval=1h')).toEqual([])
  })
})

describe('the order book', () => {
  it('writes books worst first', async () => {
    const { body } = await get('CLOB', `/book?token_id=${window.tokenIds[0]}`)
    expect(body).toMatchObject({
      market: window.conditionId,
      bids: [
        { price: '0.49', size: '357.8' },
        { price: '0.5', size: '88.18' },
      ],
      asks: [{ price: '0.51', size: '251.52' }],
      min_order_size: '5',
      tick_size: '0.01',
      neg_risk: false,
      last_trade_price: '0.490',
      timestamp: String(START_MS),
    })
    const books = (
      await post(
        '/books',
        window.tokenIds.map((token_id) => ({ token_id })),
      )
    ).body
    expect(books[0]).toEqual(body)
    expect(books[1]).toMatchObject({ bids: [{ price: '0.49', size: '251.52' }], last_trade_price: '0.510' })
  })

  it('gives equal books equal hashes, and others others', async () => {
    const hash = async () => (await get('CLOB', `/book?token_id=${window.tokenIds[0]}`)).body.hash
    const before = await hash()
    expect(before).toMatch(/^[0-9a-f]{40}$/)
    await internet.advanceTo(START_MS + 5_000)
    venue.setBook(window, [[5000, 1e6]], [[5100, 1e6]])
    expect(await hash()).not.toBe(before)
    venue.setBook(
      window,
      [
        [5000, 88_180_000],
        [4900, 357_800_000],
      ],
      [[5100, 251_520_000]],
    )
    expect(await hash()).toBe(before)
  })

  it('quotes the best bid to buyers and the best ask to sellers', async () => {
    const [token] = window.tokenIds
    const one = async (path: string) => (await get('CLOB', `${path}token_id=${token}`)).body
    expect(await one('/price?side=BUY&')).toEqual({ price: '0.5' })
    expect(await one('/price?side=SELL&')).toEqual({ price: '0.51' })
    expect(await one('/midpoint?')).toEqual({ mid: '0.505' })
    expect(await one('/spread?')).toEqual({ spread: '0.01' })
    expect(await one('/tick-size?')).toEqual({ minimum_tick_size: 0.01 })
    expect(await one('/neg-risk?')).toEqual({ neg_risk: false })
    expect(await one('/fee-rate?')).toEqual({ base_fee: 1000 })
    expect(await one('/last-trade-price?')).toEqual({ price: '0.5', side: '' })
    venue.trade(window, { priceE4: 4800, sharesE6: 5_000_000, side: 'SELL' })
    expect(await one('/last-trade-price?')).toEqual({ price: '0.48', side: 'SELL' })
    const asked = [{ token_id: window.tokenIds[1] }]
    expect((await post('/last-trades-prices', asked)).body).toMatchObject([{ price: '0.52', side: 'BUY' }])
    expect((await post('/prices', [{ token_id: token, side: 'SELL' }])).body).toEqual({
      [token]: { SELL: '0.51' },
    })
    expect((await post('/midpoints', [{ token_id: token }, { token_id: '1' }])).body).toEqual({
      [token]: '0.505',
    })
    expect((await post('/spreads', [{ token_id: token }])).body).toEqual({ [token]: '0.01' })
    expect((await get('CLOB', '/version')).body).toEqual({ version: 2 })
    expect((await get('CLOB', '/time')).body).toBe(START_S)
    expect((await get('CLOB', '/ok')).body).toBe('OK')
  })

  it('describes markets by condition and by token', async () => {
    const { conditionId, tokenIds } = window
    expect((await get('CLOB', `/markets-by-token/${tokenIds[1]}`)).body.condition_id).toBe(conditionId)
    expect((await get('CLOB', `/clob-markets/${conditionId}`)).body).toMatchObject({
      fd: { r: 0.07, e: 1, to: true },
      mts: 0.01,
      itode: true,
    })
    const pages = [(await get('CLOB', '/markets')).body, (await get('CLOB', '/simplified-markets')).body]
    for (const page of pages) expect(page).toMatchObject({ count: 3, next_cursor: 'LTE=' })
  })

  it('has no book of a resolved market, and learns of the winner later than Gamma', async () => {
    const tokens = async () => (await get('CLOB', `/markets/${window.conditionId}`)).body.tokens
    venue.resolve(window, 1)
    const gone = { status: 404, body: { error: 'No orderbook exists for the requested token id' } }
    expect(await get('CLOB', `/book?token_id=${window.tokenIds[0]}`)).toMatchObject(gone)
    expect(await get('CLOB', `/price?side=BUY&token_id=${window.tokenIds[0]}`)).toMatchObject(gone)
    expect((await post('/books', [{ token_id: window.tokenIds[0] }])).body).toEqual([])
    await internet.advanceTo(START_MS + 59_000)
    expect(await tokens()).toMatchObject([
      { winner: false, price: 0.49 },
      { winner: false, price: 0.51 },
    ])
    await internet.advanceTo(START_MS + 60_000)
    expect(await tokens()).toMatchObject([
      { winner: false, price: 0 },
      { winner: true, price: 1 },
    ])
  })

  it('refuses orders while it restarts or is switched off, and still shows its books', async () => {
    const status = async (method: string, path: string) => (await get('CLOB', path, { method })).status
    const tries = () =>
      Promise.all([status('POST', '/order'), status('DELETE', '/orders'), status('GET', '/ok')])
    venue.setMode('restart')
    expect(await tries()).toEqual([425, 425, 200])
    expect((await get('CLOB', '/order', { method: 'POST' })).headers.get('retry-after')).toBe('15')
    venue.setMode('disabled')
    expect(await tries()).toEqual([503, 503, 200])
    internet.serveAccounts({ clob: { rest: () => ({ status: 200, body: '{}' }), socketAt: () => undefined } })
    venue.setMode('cancel_only')
    expect(await tries()).toEqual([503, 200, 200])
    venue.setMode('on')
    expect(await tries()).toEqual([200, 200, 200])
  })
})

describe('the web site', () => {
  it('tells opening and closing price once the oracle has published them', async () => {
    const query = 'eventStartTime=2026-05-06T01:00:00Z&endDate=2026-05-06T01:05:00Z&variant=fiveminute'
    const read = async (more = '&twapEnabled=true&twapLookbackSeconds=60') =>
      (await get('POLY_WEB', `/api/crypto/crypto-price?symbol=BTC&${query}${more}`)).body
    expect(await read()).toMatchObject({ openPrice: null, closePrice: null, completed: false })
    await internet.advanceTo(START_MS + 1_000)
    const openPrice = simulation.oracle.at('BTC', START_S).twap60Usd
    expect(await read()).toMatchObject({ openPrice, closePrice: null, completed: false })
    expect((await read('')).openPrice).toBe(simulation.oracle.at('BTC', START_S).spotUsd)
    await internet.advanceTo(window.endsMs + 1_000)
    const closePrice = simulation.oracle.at('BTC', START_S + 300).twap60Usd
    expect(await read()).toMatchObject({ openPrice, closePrice, completed: true })
  })

  it('says where it takes its visitors to be', async () => {
    const read = async () => (await get('POLY_WEB', '/api/geoblock')).body
    expect(await read()).toEqual({ blocked: false, ip: '127.0.0.1', country: 'XX', region: '' })
    internet.setPlace({ blocked: true, country: 'US', region: 'NY' })
    expect(await read()).toMatchObject({ blocked: true, country: 'US' })
  })
})
