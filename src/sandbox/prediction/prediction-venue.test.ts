import { describe, expect, it } from 'vitest'
import { COINS } from '../../core/coin.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { slugOf } from '../../upstreams/polymarket/five-minute-market.ts'
import { createSimulatedMarket } from '../market/simulated-market.ts'
import { collateralE6 } from './book/amounts.ts'
import { MAKERS } from './crowd/makers.ts'
import { simulatedWallet } from './market-ids.ts'
import { createPredictionVenue } from './prediction-venue.ts'
import type { PredictionVenue, VenueEvent, VenueMarket, VenueOrder } from './venue.ts'

const START_MS = Date.UTC(2026, 4, 6, 13, 1)
const OPEN_S = Date.UTC(2026, 4, 6, 13) / 1000

function openVenue(seed = 'venue', bookEveryMs = 1000) {
  const market = createSimulatedMarket({
    seed,
    startMs: START_MS,
    cadence: { bookEveryMs, tradesPerSecond: 0.1 },
  })
  const venue = createPredictionVenue({ seed, market })
  const events: VenueEvent[] = []
  venue.onEvent((event) => events.push(event))
  return { market, venue, events }
}
function window(venue: PredictionVenue, startS = OPEN_S, coin: (typeof COINS)[number] = 'BTC'): VenueMarket {
  const found = venue.findBySlug(slugOf(coin, startS))
  if (!found) throw new Error('no such window')
  return found
}
const order = (market: VenueMarket, change: Partial<VenueOrder> = {}): VenueOrder => ({
  id: '0x1',
  wallet: 'alice',
  tokenId: market.tokenIds[0],
  side: 'BUY',
  priceE4: 9900,
  sharesE6: 10e6,
  kind: 'FAK',
  postOnly: false,
  expiresMs: undefined,
  ...change,
})

describe('the windows', () => {
  it('are listed for an hour ahead and found for a day, under names that stay', () => {
    const [{ venue }, again] = [openVenue(), openVenue()]
    for (const coin of COINS)
      for (let ahead = 0; ahead <= 12; ahead++) {
        const market = window(venue, OPEN_S + ahead * 300, coin)
        expect(market).toMatchObject({ state: 'open', acceptingOrders: true, outcomes: ['Up', 'Down'] })
        expect(market.conditionId).toMatch(/^0x[0-9a-f]{64}$/)
        for (const tokenId of market.tokenIds) {
          expect(tokenId).toMatch(/^[1-9]\d{70,77}$/)
          expect(venue.findByToken(tokenId)).toBe(market)
          expect(venue.book(tokenId)?.bids.length).toBeGreaterThan(0)
        }
        expect(venue.findByCondition(market.conditionId)).toBe(market)
        expect(window(again.venue, OPEN_S + ahead * 300, coin).tokenIds).toEqual(market.tokenIds)
      }
    const daySlugs = [-2010, 287].map((ahead) => slugOf('ETH', OPEN_S + ahead * 300))
    expect(daySlugs.map((slug) => venue.findBySlug(slug)?.state)).toEqual(['resolved', 'open'])
    const strange = [
      slugOf('BTC', OPEN_S + 1),
      slugOf('BTC', OPEN_S + 300 * 289),
      slugOf('BTC', OPEN_S - 300 * 2018),
      'btc-updown-5m-',
      'doge-updown-5m-0',
      '',
    ]
    expect(strange.map((slug) => venue.findBySlug(slug))).toEqual(strange.map(() => undefined))
    const ids = venue.markets().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  const run = openVenue('run')
  const asked = window(run.venue, OPEN_S + 13 * 300)
  const bookAtTicks = followBooks(run.venue, run.market.nowMs)
  run.market.advanceTo(START_MS + 16 * MINUTE_MS)

  it('open, close and resolve by the 60-second mean, ties UP, once each', () => {
    for (const coin of COINS)
      for (let startS = OPEN_S; startS < OPEN_S + 900; startS += 300) {
        const market = window(run.venue, startS, coin)
        const told = run.events.filter((event) => 'market' in event && event.market === market)
        const times = (type: string) =>
          told.flatMap((event) => (event.type === type && 'atMs' in event ? [event.atMs] : []))
        expect(times('closed')).toEqual([market.endsMs])
        const [resolvedMs] = times('resolved')
        expect(times('resolved').length).toBe(market.state === 'resolved' ? 1 : 0)
        if (resolvedMs === undefined) continue
        const mean = (second: number) => run.market.oracle.at(coin, second).twap60Usd
        expect(market.winner).toBe(mean(startS + 300) >= mean(startS) ? 0 : 1)
        expect(resolvedMs - market.endsMs).toBeGreaterThanOrEqual(20_000)
        expect([run.venue.book(market.tokenIds[0]), market.acceptingOrders]).toEqual([undefined, false])
      }
    const resolved = run.events.filter((event) => event.type === 'resolved' && event.market.series)
    expect(resolved.length).toBeGreaterThan(7)
  })

  it('are told when they come into reach, before their books, also where someone has asked before', () => {
    const first = new Map<VenueMarket, string>()
    for (const event of run.events) if (!first.has(event.market)) first.set(event.market, event.type)
    const listed = run.events.flatMap((event) => (event.type === 'listed' ? [event.market] : []))
    expect(listed.length).toBe(3 * COINS.length)
    for (const market of listed) {
      expect(run.venue.findBySlug(market.slug)).toBe(market)
      if (market !== asked) expect(first.get(market)).toBe('listed')
    }
    expect(listed).toContain(asked)
  })

  it('have books that are never crossed, mirror each other, and are the sum of what was told', () => {
    expect(bookAtTicks.problems).toEqual([])
    expect(bookAtTicks.compared).toBeGreaterThan(3_000)
  })

  it('get the fine tick near the ends once, and keep prices on the tick', () => {
    const changes = run.events.filter((event) => event.type === 'tick_size')
    expect(changes.length).toBeGreaterThan(2)
    expect(new Set(changes.map(({ market }) => market.slug)).size).toBe(changes.length)
    for (const { market } of changes) expect(market.tickE4).toBe(10)
  })

  it('trade shares that are all paid for', () => {
    const fills = run.events.flatMap((event) => (event.type === 'trade' ? [event.fill] : []))
    expect(fills.length).toBeGreaterThan(1_500)
    const makers = new Set(MAKERS.map(({ name }) => simulatedWallet('run', name)))
    expect(
      fills.filter(({ role, wallet }) => role === 'TAKER' && !makers.has(wallet)).length,
    ).toBeGreaterThan(200)
    const paid = new Map<string, [shares: number, cash: number]>()
    for (const fill of fills) {
      const conditionId = run.venue.findByToken(fill.tokenId)?.conditionId ?? ''
      const [shares, cash] = paid.get(conditionId) ?? [0, 0]
      paid.set(conditionId, [shares + fill.sharesE6, cash + collateralE6(fill.priceE4, fill.sharesE6)])
    }
    // Simulated traders only buy: two shares are one pair, which costs a dollar.
    for (const [shares, cash] of paid.values()) expect(cash * 2).toBe(shares)
    expect(new Set(fills.map(({ id }) => id)).size).toBe(fills.length)
  })
})

describe('one seed', () => {
  it('tells the same events however time is split', () => {
    const tell = (steps: readonly number[]) => {
      const { market, events } = openVenue('split')
      for (const ms of steps) market.advanceTo(START_MS + ms)
      return JSON.stringify(events)
    }
    expect(tell([90_000])).toBe(tell([1, 1000, 30_500, 90_000]))
  })
})

describe('an order of a wallet', () => {
  it('is matched on the first tick after the delay, and its fill is remembered', () => {
    const { market, venue } = openVenue('order', 100)
    const placed = venue.place(order(window(venue)))
    expect(placed.status).toBe('delayed')
    market.advanceTo(START_MS + 100)
    expect(venue.order('0x1')?.status).toBe('delayed')
    market.advanceTo(START_MS + 200)
    expect(venue.order('0x1')).toMatchObject({ status: 'matched', filledE6: 10e6 })
    const fills = venue.fills('alice')
    expect(fills.reduce((sum, { sharesE6 }) => sum + sharesE6, 0)).toBe(10e6)
    expect(fills.every(({ atMs, role }) => atMs === START_MS + 200 && role === 'TAKER')).toBe(true)
  })

  it('ends with the market, and none is taken for an unknown token', () => {
    const { market, venue } = openVenue('ends')
    venue.place(order(window(venue), { kind: 'GTC', priceE4: 100 }))
    venue.setTrouble({ resolutionDelayMs: 30_000, disputed: false })
    market.advanceTo((OPEN_S + 330) * 1000)
    expect(venue.order('0x1')?.status).toBe('canceled')
    expect(() => venue.place(order(window(venue), { id: '0x2' }))).toThrow('not yet ready')
    expect(() => venue.place(order(window(venue), { id: '0x3', tokenId: '7' }))).toThrow('Invalid token id')
  })
})

describe('the venue', () => {
  it('stops when it is closed, and keeps its mode', () => {
    const { market, venue, events } = openVenue('closed')
    venue.close()
    const before = events.length
    market.advanceTo(START_MS + 10_000)
    expect(events.length).toBe(before)
    venue.setMode('cancel_only')
    expect(venue.mode()).toBe('cancel_only')
  })
})

/** Adds up what is told and compares it with the book after every event of the market. */
function followBooks(venue: PredictionVenue, nowMs: () => number) {
  const told = new Map<string, Map<string, number>>()
  const problems: string[] = []
  const followed = { problems, compared: 0 }
  const sizes = (tokenId: string) =>
    new Map(
      (['BUY', 'SELL'] as const).flatMap((side) =>
        (venue.book(tokenId)?.[side === 'BUY' ? 'bids' : 'asks'] ?? []).map(([price, shares]) => [
          `${side}${price}`,
          shares,
        ]),
      ),
    )
  venue.onEvent((event) => {
    if (event.type !== 'book') return
    const { tokenId, market } = event
    const known = told.get(tokenId)
    const now = sizes(tokenId)
    if (!known) return void told.set(tokenId, now)
    for (const { side, priceE4, sharesE6 } of event.changes)
      if (sharesE6 === 0) known.delete(`${side}${priceE4}`)
      else known.set(`${side}${priceE4}`, sharesE6)
    followed.compared++
    const isEqual = known.size === now.size && [...now].every(([key, size]) => known.get(key) === size)
    const { bids = [], asks = [] } = venue.book(tokenId) ?? {}
    const isCrossed = (bids[0]?.[0] ?? 0) >= (asks[0]?.[0] ?? 10_000)
    const isOnTick = [...bids, ...asks].every(
      ([price]) => price % market.tickE4 === 0 && price > 0 && price < 10_000,
    )
    const mirror = venue.book(market.tokenIds[0] === tokenId ? market.tokenIds[1] : market.tokenIds[0])
    const isMirrored =
      JSON.stringify(mirror?.asks.map(([price, size]) => [10_000 - price, size])) === JSON.stringify(bids)
    if (!isEqual || isCrossed || !isOnTick || !isMirrored)
      problems.push(`${market.slug} ${nowMs()} ${isEqual} ${isCrossed} ${isOnTick} ${isMirrored}`)
  })
  return followed
}
