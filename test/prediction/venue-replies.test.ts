import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProviderName } from '../../src/config/providers.ts'
import { COINS } from '../../src/core/coin.ts'
import { createManualClock } from '../../src/core/time/manual-clock.ts'
import { WINDOW_S, windowAt } from '../../src/core/time/window.ts'
import { type Internet, startInternet } from '../../src/sandbox/internet.ts'
import { createSimulatedMarket } from '../../src/sandbox/market/simulated-market.ts'
import { createPredictionVenue } from '../../src/sandbox/prediction/prediction-venue.ts'
import { createSeeded } from '../../src/testing/seeded.ts'
import { createClob } from '../../src/upstreams/polymarket/clob/client.ts'
import type { FiveMinuteMarket } from '../../src/upstreams/polymarket/five-minute-market.ts'
import { createGamma } from '../../src/upstreams/polymarket/gamma/client.ts'
import { createPolyWeb } from '../../src/upstreams/polymarket/web/client.ts'
import { createUpstream } from '../../src/upstreams/rules/create-upstream.ts'
import { createHostGates } from '../../src/upstreams/rules/host-gate.ts'

// The sandbox is another address, not another format: its replies go through the schemas of the real ones.

const START_MS = Date.UTC(2026, 0, 5, 12, 1, 30)
const window = windowAt(START_MS)
const clock = createManualClock(START_MS)
const random = createSeeded(3).fraction
const cadence = { bookEveryMs: 1_000, tradesPerSecond: 0.05 }
const simulation = createSimulatedMarket({ seed: 3, startMs: START_MS, cadence })
const venue = createPredictionVenue({ seed: '3', market: simulation })
let internet: Internet
let gamma: ReturnType<typeof createGamma>
let clob: ReturnType<typeof createClob>
let web: ReturnType<typeof createPolyWeb>
let open: FiveMinuteMarket

beforeAll(async () => {
  internet = await startInternet({ market: simulation, clock, venue })
  const gates = createHostGates({ clock, random })
  const upstream = (provider: ProviderName, baseUrl: string) =>
    createUpstream({ provider, baseUrl, clock, random, gate: gates.of(baseUrl) })
  gamma = createGamma(upstream('gamma', internet.urls.GAMMA))
  clob = createClob(upstream('clob', internet.urls.CLOB))
  web = createPolyWeb(upstream('poly_web', internet.urls.POLY_WEB))
  const found = await gamma.fiveMinute('BTC', window.startS)
  if (!found) throw new Error('the sandbox lists no open window')
  open = found
})
afterAll(() => internet.close())

describe('replies of the simulated venue', () => {
  it('list the open window and the next one of every coin', async () => {
    for (const coin of COINS)
      for (const startS of [window.startS, window.endS])
        expect(await gamma.fiveMinute(coin, startS)).toMatchObject({
          coin,
          window: { startS, endS: startS + WINDOW_S },
          resolution: { kind: 'twap_60s' },
          version: 'v1',
          outcome: undefined,
        })
    expect(await gamma.fiveMinute('BTC', window.startS + 90 * 86_400)).toBeUndefined()
  })

  it('list other markets of several subjects without a bad row', async () => {
    const listing = await gamma.events({ closed: false, offset: 0, limit: 500, order: 'volume24hr' })
    expect(listing.skipped).toEqual({ count: 0, reasons: [] })
    expect(listing.markets.length).toBeGreaterThan(50)
    const subjects = new Set(listing.markets.map(({ category }) => category))
    expect([...subjects]).toEqual(expect.arrayContaining(['crypto', 'politics', 'sports', 'weather']))
    expect(await gamma.market(open.slug)).toMatchObject({ conditionId: open.conditionId })
  })

  it('have books that mirror each other, and prices that fit them', async () => {
    const { books, skipped } = await clob.books([open.tokens.up, open.tokens.down])
    expect([books.size, skipped.count]).toEqual([2, 0])
    const up = books.get(open.tokens.up)
    const down = books.get(open.tokens.down)
    expect(up?.bids[0]?.[0]).toBeCloseTo(1 - (down?.asks[0]?.[0] ?? 0), 9)
    expect(await clob.book(open.tokens.up)).toMatchObject({ bids: up?.bids, asks: up?.asks })
    expect(await clob.bestBid(open.tokens.up)).toBe(up?.bids[0]?.[0])
    expect(await clob.bestAsk(open.tokens.up)).toBe(up?.asks[0]?.[0])
    expect(await clob.tickSize(open.tokens.up)).toBe(open.tickSize)
    expect(await clob.book('12345')).toBeUndefined()
  })

  it('say what trading costs, what time it is, and where from orders are taken', async () => {
    expect(await clob.marketInfo(open.conditionId)).toMatchObject({ fee: open.fee, hasTakerDelay: true })
    expect(await clob.market(open.conditionId)).toMatchObject({ slug: open.slug, acceptingOrders: true })
    expect(await clob.timeMs()).toBe(START_MS)
    expect(await web.geoblock()).toMatchObject({ isBlocked: false })
    const ofWindow = { isCompleted: false, closePrice: undefined }
    expect(await web.windowPrice('BTC', window, 60)).toMatchObject({
      ...ofWindow,
      openPrice: simulation.oracle.at('BTC', window.startS).twap60Usd,
    })
    expect(await web.windowPrice('BTC', window)).toMatchObject({
      ...ofWindow,
      openPrice: simulation.oracle.at('BTC', window.startS).spotUsd,
    })
  })
})
