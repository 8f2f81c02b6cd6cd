import { describe, expect, it } from 'vitest'
import {
  fiveMinuteEvent,
  fiveMinuteMarket,
  resolvedDown,
  WINDOW_START_S,
} from '../../../testing/upstreams/gamma-payloads.ts'
import { createScriptedUpstream } from '../../../testing/upstreams/scripted-upstream.ts'
import { PathPartError } from '../../rules/path-parts.ts'
import { createGamma } from './client.ts'

const SLUG = `btc-updown-5m-${WINDOW_START_S}`
const query = { closed: false, offset: 0, limit: 100, order: 'volume24hr' } as const

describe('Gamma', () => {
  it('finds the market of a window, and none where the venue lists none', async () => {
    const upstream = createScriptedUpstream(({ path }) =>
      path.endsWith(SLUG) ? fiveMinuteEvent() : undefined,
    )
    const gamma = createGamma(upstream)
    expect(await gamma.fiveMinute('BTC', WINDOW_START_S)).toMatchObject({ coin: 'BTC', slug: SLUG })
    expect(await gamma.fiveMinute('SOL', WINDOW_START_S)).toBeUndefined()
    expect(upstream.asked.map(({ path }) => path)).toEqual([
      `/events/slug/${SLUG}`,
      `/events/slug/sol-updown-5m-${WINDOW_START_S}`,
    ])
  })

  it('reads an event with one schema, so that equal requests at the same time are one', async () => {
    const schemas: unknown[] = []
    const gamma = createGamma({
      async ask(request) {
        schemas.push(request.schema)
        return request.schema.parse(fiveMinuteEvent()) as never
      },
    })
    await gamma.fiveMinute('BTC', WINDOW_START_S)
    await gamma.fiveMinute('BTC', WINDOW_START_S)
    await gamma.event(SLUG)
    expect([schemas.length, new Set(schemas).size]).toEqual([3, 1])
  })

  it('reads the same event as a list of markets', async () => {
    const gamma = createGamma(createScriptedUpstream(() => fiveMinuteEvent()))
    expect(await gamma.event(SLUG)).toMatchObject({
      markets: [{ slug: SLUG, category: 'crypto', tags: ['5M', 'crypto'], bestBid: undefined }],
      skipped: { count: 0 },
    })
    const bad = createGamma(createScriptedUpstream(() => fiveMinuteEvent({ id: null })))
    await expect(bad.event(SLUG)).rejects.toMatchObject({ fault: 'malformed' })
  })

  it('refuses a window in doubt with the reason', async () => {
    const gamma = createGamma(createScriptedUpstream(() => fiveMinuteEvent({ eventStartTime: null })))
    await expect(gamma.fiveMinute('BTC', WINDOW_START_S)).rejects.toMatchObject({
      fault: 'malformed',
      message: expect.stringContaining('eventStartTime'),
    })
  })

  it('asks for a page of events as the venue takes it', async () => {
    const upstream = createScriptedUpstream(() => [])
    const gamma = createGamma(upstream)
    expect(await gamma.events(query)).toMatchObject({ markets: [], events: 0 })
    await gamma.events({ closed: true, offset: 200, limit: 50, order: 'endDate', ascending: true, tag: '5M' })
    const common = { closed: false, order: 'volume24hr', ascending: false, limit: 100, offset: 0 }
    expect(upstream.asked).toEqual([
      { path: '/events', query: { ...common, tag_slug: undefined, active: true, archived: false } },
      {
        path: '/events',
        query: { closed: true, order: 'endDate', ascending: true, limit: 50, offset: 200, tag_slug: '5M' },
      },
    ])
  })

  it('leaves a bad row out, counts it and says why', async () => {
    const bad = { ...fiveMinuteMarket(), slug: 'bad', active: 'maybe' }
    const upstream = createScriptedUpstream(() => [
      fiveMinuteEvent({}, { markets: [fiveMinuteMarket(), bad, fiveMinuteMarket({ slug: 'other-one' })] }),
      { slug: 'no-markets' },
      fiveMinuteEvent({}, { markets: [] }),
    ])
    const listing = await createGamma(upstream).events(query)
    expect(listing.markets.map(({ slug }) => slug)).toEqual([SLUG, 'other-one'])
    expect(listing).toMatchObject({
      events: 3,
      skipped: {
        count: 2,
        reasons: [
          expect.stringMatching(/^\[1\] markets: /),
          `${SLUG}[1] active: expected true or false, received string`,
        ],
      },
    })
  })

  it('leaves out a bad tag, not the event that has it', async () => {
    const tags = [{ slug: 'état' }, { slug: null }, { slug: 'crypto' }, 'x']
    const listing = await createGamma(createScriptedUpstream(() => [fiveMinuteEvent({}, { tags })])).events(
      query,
    )
    expect(listing).toMatchObject({
      markets: [{ tags: ['crypto'], category: 'crypto' }],
      skipped: { count: 0 },
    })
  })

  it('lists the tags that can be asked for', async () => {
    const [good, other] = [
      { id: '21', slug: 'crypto', label: 'Crypto' },
      { id: '22', slug: 'sports', label: null },
    ]
    const tagsOf = (rows: unknown) =>
      createGamma(createScriptedUpstream(() => rows)).tags({ offset: 0, limit: 9 })
    expect(await tagsOf([good, { ...good, slug: 'état' }, other])).toEqual([good, { ...other, label: '' }])
    await expect(tagsOf([good, { id: 5 }, {}])).rejects.toMatchObject({ fault: 'malformed' })
  })

  it('refuses a page of which most is bad: then the format has changed', async () => {
    const upstream = createScriptedUpstream(() => [fiveMinuteEvent({ conditionId: 5 })])
    await expect(createGamma(upstream).events(query)).rejects.toMatchObject({
      fault: 'malformed',
      message: expect.stringContaining('conditionId'),
    })
  })

  it('keeps unknown numbers apart from zero', async () => {
    const unknown = { volume24hr: null, volumeNum: 'NaN', volume: '', liquidity: null, bestBid: undefined }
    const { markets } = await createGamma(
      createScriptedUpstream(() => [fiveMinuteEvent({ ...unknown, lastTradePrice: 0 })]),
    ).events(query)
    expect(markets[0]).toMatchObject({
      volume24hUsd: undefined,
      volumeUsd: undefined,
      liquidityUsd: undefined,
      bestBid: undefined,
      lastTradePrice: 0,
      category: 'crypto',
    })
  })

  it('finds a closed market, which the venue hides at first', async () => {
    const row = { ...fiveMinuteMarket(resolvedDown), events: [{ slug: 'an-event', title: 'An event' }] }
    const upstream = createScriptedUpstream(({ query }) => (query?.closed ? [row] : []))
    expect(await createGamma(upstream).market(SLUG)).toMatchObject({
      slug: SLUG,
      closed: true,
      event: { slug: 'an-event' },
    })
    expect(upstream.asked).toHaveLength(2)
    expect(await createGamma(createScriptedUpstream(() => [])).market(SLUG)).toBeUndefined()
  })

  it('searches', async () => {
    const upstream = createScriptedUpstream(() => ({ events: null, pagination: { hasMore: false } }))
    expect(await createGamma(upstream).search('btc & eth', 5)).toMatchObject({ markets: [], hasMore: false })
    expect(upstream.asked).toEqual([{ path: '/public-search', query: { q: 'btc & eth', limit_per_type: 5 } }])
  })

  it('sends nothing that could change an address', async () => {
    const upstream = createScriptedUpstream(() => [])
    const gamma = createGamma(upstream)
    await expect(gamma.market('../tags')).rejects.toThrow(PathPartError)
    await expect(gamma.event('a/b')).rejects.toThrow(PathPartError)
    await expect(gamma.events({ ...query, tag: 'a&b=c' })).rejects.toThrow(PathPartError)
    for (const limit of [0, 501, 1.5, Number.NaN])
      await expect(gamma.events({ ...query, limit })).rejects.toThrow('limit')
    await expect(gamma.events({ ...query, offset: -1 })).rejects.toThrow('offset')
    expect(upstream.asked).toEqual([])
  })
})
