import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { isMissing } from '../../../testing/missing.ts'
import { connectText } from '../../../testing/sandbox/text-client.ts'
import { type Internet, startInternet } from '../../internet.ts'
import { createSimulatedMarket, type SimulatedMarket } from '../../market/simulated-market.ts'
import { createPredictionVenue } from '../../prediction/prediction-venue.ts'

// Payloads recorded from the real services lie beside the project where it is developed, not in it.
const FIXTURES = new URL('../../../../../shared/fixtures/', import.meta.url)
const areMissing = isMissing('recordedReplies', existsSync(FIXTURES))

const START_MS = Date.UTC(2026, 4, 6, 1)
const START_S = START_MS / 1000
let market: SimulatedMarket
let internet: Internet

beforeAll(async () => {
  const cadence = { bookEveryMs: 1000, tradesPerSecond: 0.5 }
  market = createSimulatedMarket({ seed: 'shapes', startMs: START_MS, cadence })
  const venue = createPredictionVenue({ seed: 'shapes', market })
  venue.setTrouble({ resolutionDelayMs: 54_000, disputed: false })
  internet = await startInternet({ market, clock: createManualClock(START_MS), venue })
  await internet.advanceTo(START_MS + 400_000)
})
afterAll(() => internet.close())

type Json = Readonly<Record<string, unknown>>
const recorded = (file: string) => JSON.parse(readFileSync(new URL(file, FIXTURES), 'utf8'))
const get = async (base: 'GAMMA' | 'CLOB' | 'POLY_WEB', path: string) =>
  JSON.parse(await (await fetch(internet.urls[base] + path)).text())

/** Key names and JSON types, all the way down; a list is as its first item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]))
}
const without = (value: Json, ...keys: string[]) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))

/** All that every recording has is there, and nothing that none of them has; types are those of the recordings. */
function expectLike(ours: Json, theirs: readonly Json[]) {
  const shape = shapeOf(ours) as Json
  for (const [key, type] of Object.entries(shape))
    expect([key, theirs.filter((each) => key in each).map((each) => shapeOf(each[key]))]).toEqual([
      key,
      expect.arrayContaining([type]),
    ])
  const required = Object.keys(theirs[0] ?? {}).filter((key) => theirs.every((each) => key in each))
  expect(Object.keys(shape)).toEqual(expect.arrayContaining(required))
}

const closedSlug = `btc-updown-5m-${START_S}`
const openSlug = `btc-updown-5m-${START_S + 300}`
const tokenOf = (slug: string) => internet.venue.findBySlug(slug)?.tokenIds[0] ?? ''

describe.skipIf(areMissing)("the simulated venue has the shape of Polymarket's services", () => {
  const closedEvent = () => recorded('recorded/polymarket-gamma/event_by_slug_btc_updown_5m_resolved.json')
  const oldMarket = () => recorded('recorded/polymarket-gamma/market_btc_updown_5m_2026-03_full.json')
  const otherEvents = () => [
    recorded('recorded/polymarket-gamma/gamma_event.json')[0],
    recorded('recorded/polymarket-gamma/search_response.json').events[0],
  ]

  it('Gamma: a window that is resolved', async () => {
    const [ours, theirs] = [await get('GAMMA', `/events/slug/${closedSlug}`), closedEvent()]
    expect(shapeOf(without(ours, 'tags', 'markets'))).toEqual(shapeOf(without(theirs, 'tags', 'markets')))
    // Which of the two quotes is left depends on the outcome.
    const marketOf = ({ markets: [market] }: { markets: Json[] }) =>
      without(market ?? {}, 'bestBid', 'bestAsk')
    expect(shapeOf(marketOf(ours))).toEqual(shapeOf(marketOf(theirs)))
    for (const key of ['outcomes', 'outcomePrices', 'clobTokenIds', 'closedTime', 'umaResolutionStatuses']) {
      const pattern = (text: string) => text.replace(/[\d.]+/g, '0')
      expect(pattern(ours.markets[0][key])).toBe(pattern(theirs.markets[0][key]))
    }
    for (const tag of ours.tags)
      expectLike(tag, [...theirs.tags, ...recorded('recorded/polymarket-gamma/gamma_tags.json')])
  })

  it('Gamma: a window that is open', async () => {
    const [event, closed] = [await get('GAMMA', `/events/slug/${openSlug}`), closedEvent()]
    expectLike(event.markets[0], [closed.markets[0], oldMarket()])
    expectLike(without(event, 'markets', 'tags'), [closed, oldMarket().events[0]])
    const { events, ...alone } = await get('GAMMA', `/markets/slug/${openSlug}`)
    expectLike(alone, [closed.markets[0], oldMarket()])
    expectLike(events[0], [closed, oldMarket().events[0]])
  })

  it('Gamma: other events, lists and search', async () => {
    const [page] = await get('GAMMA', '/events?tag_slug=politics&closed=false&limit=1')
    const theirs = [...otherEvents(), closedEvent()]
    expectLike(
      without(page, 'markets', 'tags'),
      theirs.map((each) => without(each, 'markets', 'tags')),
    )
    expectLike(
      page.markets[0],
      theirs.map(({ markets }) => markets[0]),
    )
    const found = await get('GAMMA', '/public-search?q=bitcoin')
    expect(Object.keys(found)).toEqual(['events', 'pagination'])
    expect(shapeOf(found.pagination)).toEqual({ hasMore: 'boolean', totalResults: 'number' })
  })

  it('the order book: books and single figures', async () => {
    const token = tokenOf(openSlug)
    expect(shapeOf(await get('CLOB', `/book?token_id=${token}`))).toEqual(
      shapeOf(recorded('recorded/polymarket-clob/book_btc_updown_5m.json')),
    )
    const misc: Json = recorded('recorded/polymarket-clob/misc_btc_updown_5m.json')
    for (const [request, reply] of Object.entries(misc)) {
      const path = request.replace('GET ', '')
      const ours = await get('CLOB', `${path}${path.includes('?') ? '&' : '?'}token_id=${token}`)
      expect([path, shapeOf(ours)]).toEqual([path, shapeOf(reply)])
    }
    expect(shapeOf(await get('CLOB', `/prices-history?market=${token}&interval=1h`))).toEqual(
      shapeOf(recorded('recorded/polymarket-clob/prices_history.json')),
    )
  })

  it('the order book: markets', async () => {
    const idOf = (slug: string) => internet.venue.findBySlug(slug)?.conditionId
    expect(shapeOf(await get('CLOB', `/markets/${idOf(closedSlug)}`))).toEqual(
      shapeOf(recorded('recorded/polymarket-clob/market_by_condition_resolved.json')),
    )
    expect(shapeOf(await get('CLOB', `/markets/${idOf(openSlug)}`))).toMatchObject(
      shapeOf(recorded('recorded/polymarket-clob/market_by_condition_live_excerpt.json')) as Json,
    )
    expect(shapeOf(await get('CLOB', `/clob-markets/${idOf(openSlug)}`))).toEqual(
      shapeOf(recorded('from-docs/polymarket_clob_market_info.json')),
    )
  })

  it('the web site', async () => {
    const at = (seconds: number) => new Date((START_S + seconds) * 1000).toISOString()
    const price = (fromS: number) =>
      get(
        'POLY_WEB',
        `/api/crypto/crypto-price?symbol=BTC&eventStartTime=${at(fromS)}&endDate=${at(fromS + 300)}&variant=fiveminute&twapEnabled=true&twapLookbackSeconds=60`,
      )
    expect(shapeOf(await price(0))).toEqual(shapeOf(recorded('recorded/polymarket-web/crypto_price.json')))
    expect(shapeOf(await price(300))).toEqual(
      shapeOf(recorded('from-docs/polymarket_crypto_price_twap.json')),
    )
    expect(shapeOf(await get('POLY_WEB', '/api/geoblock'))).toEqual(
      shapeOf(recorded('from-docs/polymarket_geoblock.json')),
    )
  })

  it('the market channel', async () => {
    const client = await connectText(`${internet.urls.CLOB_WS}/market`)
    const assets_ids = internet.venue.findBySlug(openSlug)?.tokenIds
    client.send({ type: 'market', assets_ids, custom_feature_enabled: true })
    while (client.texts.length === 0) await new Promise((resolve) => setImmediate(resolve))
    // Past the end and the resolution; before it the price has left the middle, so that the tick has changed.
    for (let atMs = START_MS + 400_000; atMs <= START_MS + 700_000; atMs += 50_000) {
      client.sendRaw('PING')
      await internet.advanceTo(atMs)
    }
    const heard: Json[] = client.texts.filter((text) => text !== 'PONG').flatMap((text) => JSON.parse(text))
    const real: Json[] = recorded('recorded/polymarket-ws/market_channel_messages_tardis.json').flat()
    const kinds = new Set(real.flatMap(({ event_type }) => event_type ?? []))
    expect(kinds.size).toBe(7)
    for (const kind of kinds) {
      const ours = heard.find((frame) => frame.event_type === kind)
      // A later recording; earlier ones lack fields.
      const theirs = real.findLast((frame) => frame.event_type === kind)
      expect([kind, shapeOf(ours)]).toEqual([kind, shapeOf(theirs)])
    }
    expect((await client.closed).code).toBe(1000)
  })
})
