import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProviderName } from '../../../config/providers.ts'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { connectText } from '../../../testing/sandbox/text-client.ts'
import { createClob } from '../../../upstreams/polymarket/clob/client.ts'
import { slugOf } from '../../../upstreams/polymarket/five-minute-market.ts'
import { createGamma } from '../../../upstreams/polymarket/gamma/client.ts'
import { readMarketFrame, subscribeMarketFrame } from '../../../upstreams/polymarket/socket/wire.ts'
import { createUpstream } from '../../../upstreams/rules/create-upstream.ts'
import { createHostGates } from '../../../upstreams/rules/host-gate.ts'
import type { Upstream } from '../../../upstreams/upstream.ts'
import { type Internet, startInternet } from '../../internet.ts'
import { createSimulatedMarket, type SimulatedMarket } from '../../market/simulated-market.ts'
import { createPredictionVenue } from '../../prediction/prediction-venue.ts'
import type { VenueMarket } from '../../prediction/venue.ts'

const START_MS = Date.UTC(2026, 4, 6, 1)
const START_S = START_MS / 1000
const clock = createManualClock(START_MS)
const hosts: Upstream[] = []
let market: SimulatedMarket
let internet: Internet
let window: VenueMarket

beforeAll(async () => {
  const cadence = { bookEveryMs: 1000, tradesPerSecond: 0.5 }
  market = createSimulatedMarket({ seed: 'clients', startMs: START_MS, cadence })
  const venue = createPredictionVenue({ seed: 'clients', market })
  venue.setTrouble({ resolutionDelayMs: 30_000, disputed: false })
  internet = await startInternet({ market, clock, venue })
  await internet.advanceTo(START_MS + 100_000)
  const found = venue.findBySlug(slugOf('BTC', START_S))
  if (!found) throw new Error('no window')
  window = found
})
afterAll(async () => {
  for (const host of hosts) host.close()
  await internet.close()
})

function open(provider: ProviderName, baseUrl: string): Upstream {
  const gate = createHostGates({ clock, random: () => 0.5 }).of(baseUrl)
  const host = createUpstream({ provider, baseUrl, clock, random: () => 0.5, gate })
  hosts.push(host)
  return host
}

describe('our own clients read the simulated venue as they read the real one', () => {
  it('Gamma', async () => {
    const gamma = createGamma(open('gamma', internet.urls.GAMMA))
    const page = await gamma.events({ closed: false, offset: 0, limit: 500, order: 'volume24hr' })
    expect(page.skipped).toMatchObject({ count: 0 })
    const listed = internet.venue.markets().filter(({ state }) => state !== 'resolved')
    expect(page.markets.map(({ slug }) => slug).sort()).toEqual(listed.map(({ slug }) => slug).sort())
    for (const each of page.markets) expect([each.slug, each.category]).not.toEqual([each.slug, 'other'])
    expect(await gamma.market(window.slug)).toMatchObject({ slug: window.slug, category: 'crypto' })
    expect((await gamma.search('up-or-down', 5)).skipped.count).toBe(0)
    expect((await gamma.tags({ offset: 0, limit: 500 })).length).toBeGreaterThan(10)
  })

  it('the order book', async () => {
    const clob = createClob(open('clob', internet.urls.CLOB))
    const [up] = window.tokenIds
    const own = internet.venue.book(up)
    const best = [own?.bids[0]?.[0], own?.asks[0]?.[0]].map((priceE4) => Number(priceE4) / 10_000)
    const book = await clob.book(up)
    expect([book?.bids[0]?.[0], book?.asks[0]?.[0]]).toEqual(best)
    expect([await clob.bestBid(up), await clob.bestAsk(up)]).toEqual(best)
    expect((await clob.bestPrices([up])).get(up)).toEqual({ bid: best[0], ask: best[1] })
    const { books, skipped } = await clob.books(window.tokenIds)
    expect([books.size, skipped.count]).toEqual([2, 0])
    expect(books.get(up)).toEqual(book)
    expect(await clob.midpoint(up)).toBeGreaterThan(0)
    expect(await clob.spread(up)).toBeGreaterThan(0)
    expect(await clob.tickSize(up)).toBe(window.tickE4 / 10_000)
    expect(await clob.negRisk(up)).toBe(false)
    expect(await clob.legacyFee(up)).toEqual({ legacyBaseFeeBps: 1000 })
    expect(await clob.marketInfo(window.conditionId)).toMatchObject({ fee: { rate: 0.07, exponent: 1 } })
    expect(await clob.market(window.conditionId)).toMatchObject({ conditionId: window.conditionId })
    expect(await clob.timeMs()).toBe(market.nowMs())
    expect((await clob.pricesHistory(up, { startS: START_S - 600, endS: START_S })).length).toBe(11)
    expect((await clob.lastTrade(up))?.price).toBeGreaterThan(0)
  })

  it('the market channel until the window is resolved, and then Gamma the outcome', async () => {
    const client = await connectText(`${internet.urls.CLOB_WS}/market`)
    client.sendRaw(subscribeMarketFrame(window.tokenIds))
    while (client.texts.length === 0) await new Promise((resolve) => setImmediate(resolve))
    for (let atMs = market.nowMs(); atMs < window.endsMs + 120_000; atMs += 60_000) {
      client.sendRaw('PING')
      await internet.advanceTo(atMs + 60_000)
    }
    const events = client.texts.flatMap(readMarketFrame)
    expect(events.filter(({ type }) => type === 'malformed' || type === 'unknown')).toEqual([])
    expect((await client.closed).code).toBe(1000)
    const gamma = createGamma(open('gamma', internet.urls.GAMMA))
    const [from, to] = [START_S, START_S + 300].map((second) => market.oracle.at('BTC', second).twap60Usd)
    expect(await gamma.fiveMinute('BTC', START_S)).toMatchObject({
      closed: true,
      outcome: Number(to) >= Number(from) ? 'UP' : 'DOWN',
      priceToBeat: from,
      finalPrice: to,
    })
  })
})
