import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collateralE6, takerFeeE6 } from '../book/amounts.ts'
import { createExchange } from '../exchange.ts'
import { createListing } from '../listing.ts'
import { marketIds } from '../market-ids.ts'
import type { VenueEvent, VenueFill, VenueOrder } from '../venue.ts'
import { createOrderDesk, TAKER_DELAY_MS } from './order-desk.ts'

const NOW = Date.UTC(2026, 4, 6, 12)
const names = marketIds('desk', 'market')
const [UP, DOWN] = names.tokenIds

function openDesk(isWindow: boolean) {
  const exchange = createExchange('desk')
  const desk = createOrderDesk(exchange)
  const listing = createListing({
    nowMs: NOW,
    acceptUntilMs: NOW + 1e6,
    resolutionDelayMs: 0,
    isDisputed: false,
    decide: () => 0,
    fairAt: () => 0.5,
    market: {
      id: '1',
      ...names,
      slug: 'market',
      question: '?',
      outcomes: ['Up', 'Down'],
      series: isWindow ? { coin: 'BTC', windowStartS: NOW / 1000 } : undefined,
      eventSlug: 'market',
      tags: [],
      listedMs: NOW - 1000,
      endsMs: NOW + 1e6,
      tickE4: 100,
      minShares: 5e6,
      volumeE6: 0,
      volume24hE6: 0,
      lastTradeE4: undefined,
    },
  })
  const events: VenueEvent[] = []
  exchange.events.listen((event) => events.push(event))
  let count = 0
  const place = (change: Partial<VenueOrder>, atMs = NOW) =>
    desk.place(
      listing,
      {
        id: `0x${++count}`,
        wallet: 'alice',
        tokenId: UP,
        side: 'BUY',
        priceE4: 5000,
        sharesE6: 10e6,
        kind: 'GTC',
        postOnly: false,
        expiresMs: undefined,
        ...change,
      },
      atMs,
    )
  const fills = () => events.flatMap((event) => (event.type === 'trade' ? [event.fill] : []))
  return { desk, listing, place, events, fills }
}
const bob = { wallet: 'bob' }

describe('an order', () => {
  it('rests, and is matched by the opposite order at its own price', () => {
    const { desk, place, fills } = openDesk(false)
    const resting = place({ priceE4: 4000, sharesE6: 20e6 })
    expect(resting.status).toBe('live')
    const sold = place({ ...bob, side: 'SELL', priceE4: 3500 })
    expect([sold.status, sold.filledE6]).toEqual(['matched', 10e6])
    expect(desk.order(resting.id)).toMatchObject({ status: 'live', filledE6: 10e6 })
    expect(fills().map((fill) => [fill.wallet, fill.side, fill.priceE4, fill.role, fill.feeE6])).toEqual([
      ['alice', 'BUY', 4000, 'MAKER', 0],
      ['bob', 'SELL', 4000, 'TAKER', takerFeeE6(4000, 10e6)],
    ])
  })

  it('for one token meets an order for the other: both buy, and pay a dollar together', () => {
    const { place, fills, listing } = openDesk(false)
    place({ priceE4: 3600, sharesE6: 108e6 })
    const bought = place({ ...bob, tokenId: DOWN, priceE4: 7000, sharesE6: 108e6 })
    expect(bought.status).toBe('matched')
    expect(fills().map((fill) => [fill.tokenId, fill.side, fill.priceE4])).toEqual([
      [UP, 'BUY', 3600],
      [DOWN, 'BUY', 6400],
    ])
    expect(fills()[1]?.feeE6).toBe(1_741_820)
    expect(listing.market.lastTradeE4).toBe(3600)
  })

  it('to sell meets an order to sell the other token: both are paid from a dollar', () => {
    const { place, fills } = openDesk(false)
    place({ side: 'SELL', priceE4: 5500 })
    place({ ...bob, tokenId: DOWN, side: 'SELL', priceE4: 4000 })
    expect(fills().map((fill) => [fill.side, fill.priceE4])).toEqual([
      ['SELL', 5500],
      ['SELL', 4500],
    ])
  })

  it('can be cancelled once while it rests', () => {
    const { desk, listing, place } = openDesk(false)
    const { id } = place({})
    expect([desk.cancel(id, NOW), desk.cancel(id, NOW), desk.cancel('0x', NOW)]).toEqual([true, false, false])
    expect(listing.book.levels(true)).toEqual([])
    expect(desk.order(id)?.status).toBe('canceled')
  })

  it('expires', () => {
    const { desk, listing, place } = openDesk(true)
    const { id } = place({ kind: 'GTD', expiresMs: NOW + 1000 })
    desk.advanceTo(NOW + 999)
    expect(desk.order(id)?.status).toBe('live')
    desk.advanceTo(NOW + 1000)
    expect(desk.order(id)?.status).toBe('expired')
    expect(listing.book.levels(true)).toEqual([])
  })

  it('that fills at once leaves nothing behind, whole or not', () => {
    const { desk, listing, place } = openDesk(false)
    place({ side: 'SELL', priceE4: 5000 })
    const { id, status, filledE6 } = place({ ...bob, kind: 'FAK', sharesE6: 30e6 })
    expect([status, filledE6]).toEqual(['matched', 10e6])
    expect(listing.book.levels(true)).toEqual([])
    expect(desk.cancel(id, NOW)).toBe(false)
  })

  it('by money spends no more than that, at prices up to its limit', () => {
    const { place, fills } = openDesk(false)
    place({ side: 'SELL', priceE4: 5000 })
    place({ side: 'SELL', priceE4: 6000 })
    const { filledE6 } = place({ ...bob, kind: 'FOK', priceE4: 6000, sharesE6: 13_330_000, spendE6: 8e6 })
    expect(filledE6).toBe(15e6)
    const taken = fills().filter(({ role }) => role === 'TAKER')
    expect(taken.reduce((sum, fill) => sum + collateralE6(fill.priceE4, fill.sharesE6), 0)).toBe(8e6)
  })
})

describe('a marketable order in a five-minute market', () => {
  it('is delayed, cannot be cancelled meanwhile, and takes what is left then', () => {
    const { desk, place } = openDesk(true)
    const asked = place({ side: 'SELL', priceE4: 5000 })
    const bought = place({ ...bob, sharesE6: 15e6 })
    expect(bought.status).toBe('delayed')
    expect(desk.cancel(bought.id, NOW)).toBe(false)
    desk.advanceTo(NOW + TAKER_DELAY_MS - 1)
    expect(desk.order(asked.id)?.filledE6).toBe(0)
    desk.advanceTo(NOW + TAKER_DELAY_MS)
    expect(desk.order(asked.id)?.status).toBe('matched')
    expect(desk.order(bought.id)).toMatchObject({ status: 'live', filledE6: 10e6 })
  })

  it.each(['FOK', 'FAK'] as const)('is unmatched if it is %s and the makers have gone', (kind) => {
    const { desk, place, fills } = openDesk(true)
    const asked = place({ side: 'SELL', priceE4: 5000 })
    const bought = place({ ...bob, kind })
    desk.cancel(asked.id, NOW)
    desk.advanceTo(NOW + TAKER_DELAY_MS)
    expect(desk.order(bought.id)).toMatchObject({ status: 'unmatched', filledE6: 0 })
    expect(fills()).toEqual([])
  })

  it('that fills or kills takes nothing where a part has gone', () => {
    const { desk, place, fills } = openDesk(true)
    place({ side: 'SELL', priceE4: 5000 })
    const gone = place({ side: 'SELL', priceE4: 5000 })
    const { id } = place({ ...bob, kind: 'FOK', sharesE6: 20e6 })
    desk.cancel(gone.id, NOW)
    desk.advanceTo(NOW + TAKER_DELAY_MS)
    expect([desk.order(id)?.status, fills()]).toEqual(['unmatched', []])
  })
})

describe('an order is refused', () => {
  const refused: [string, Partial<VenueOrder>, string][] = [
    ['off the tick', { priceE4: 5050 }, 'breaks minimum tick size rule: 0.01'],
    ['at no price', { priceE4: 0 }, 'invalid price (0), min: 0.01 - max: 0.99'],
    ['at a dollar', { priceE4: 10_000 }, 'invalid price (1)'],
    ['at a price that is none', { priceE4: Number.NaN }, 'invalid price'],
    ['below the minimum', { sharesE6: 4_990_000 }, 'Size (4.99) lower than the minimum: 5'],
    ['in parts of a lot', { sharesE6: 5_005_000 }, 'max accuracy of 2 decimals'],
    ['in an infinite size', { sharesE6: Number.POSITIVE_INFINITY }, 'Invalid order payload'],
    ['in a negative size', { sharesE6: -5e6 }, 'Invalid order payload'],
    ['by money to sell', { side: 'SELL', kind: 'FAK', spendE6: 5e6 }, 'Invalid order payload'],
    ['if it is FOK and too large', { kind: 'FOK', sharesE6: 11e6 }, "order couldn't be fully filled"],
    [
      'if it is FAK and meets nothing',
      { kind: 'FAK', priceE4: 4900 },
      'no orders found to match with FAK order',
    ],
    ['if it is post-only and crosses', { postOnly: true }, 'invalid post-only order: order crosses book'],
    ['if it is post-only and FAK', { postOnly: true, kind: 'FAK' }, 'only GTC and GTD'],
    ['without the end it needs', { kind: 'GTD' }, 'invalid expiration'],
    ['with an end in the past', { kind: 'GTD', expiresMs: NOW }, 'invalid expiration'],
    ['with an end it has not', { expiresMs: NOW + 1e5 }, 'invalid expiration'],
    [
      'for less than a dollar',
      { kind: 'FAK', spendE6: 900_000 },
      'marketable BUY order ($0.9), min size: $1',
    ],
    ['twice', { id: '0x1' }, 'Duplicated'],
  ]
  it.each(refused)('%s', (_, change, words) => {
    const { place, fills, listing } = openDesk(false)
    place({ wallet: 'bob', side: 'SELL', priceE4: 5000 })
    expect(() => place(change)).toThrow(words)
    expect(fills()).toEqual([])
    expect(listing.book.levels(true)).toEqual([])
  })

  it('when the market takes none', () => {
    const { place, listing } = openDesk(false)
    listing.market.acceptingOrders = false
    expect(() => place({})).toThrow('not yet ready to process new orders')
  })
})

describe('whatever is placed', () => {
  const step = fc.record({
    wallet: fc.constantFrom('a', 'b', 'c'),
    tokenId: fc.constantFrom(UP, DOWN),
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    priceE4: fc.integer({ min: 40, max: 60 }).map((cents) => cents * 100),
    sharesE6: fc.integer({ min: 500, max: 4_000 }).map((lots) => lots * 10_000),
    kind: fc.constantFrom('GTC' as const, 'FOK' as const, 'FAK' as const),
    postOnly: fc.boolean(),
    spends: fc.boolean(),
    cancels: fc.nat({ max: 3 }),
    waitMs: fc.constantFrom(0, 100, 200),
  })

  it.each([true, false])(
    'no book crosses, no fill is beyond an order, and nothing is lost (delay: %s)',
    (isWindow) => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
          const { desk, listing, place, fills } = openDesk(isWindow)
          let nowMs = NOW
          const ids: string[] = []
          for (const { cancels, waitMs, spends, ...order } of steps) {
            const byMoney = spends && order.side === 'BUY' && order.kind !== 'GTC'
            try {
              ids.push(place(byMoney ? { ...order, spendE6: SPEND_E6 } : order, nowMs).id)
            } catch {
              // Refused; nothing may have moved, which the sums below would show.
            }
            if (cancels === 3) desk.cancel(ids[Math.floor(ids.length / 2)] ?? '', nowMs)
            nowMs += waitMs
            desk.advanceTo(nowMs)
            expectApart(listing.book.best(true), listing.book.best(false))
          }
          desk.advanceTo(nowMs + TAKER_DELAY_MS)
          const orders = ids.map((id) => desk.order(id))
          for (const order of orders) {
            const own = fills().filter(({ orderId }) => orderId === order?.id)
            expect(own.reduce((sum, { sharesE6 }) => sum + sharesE6, 0)).toBe(order?.filledE6)
            for (const { priceE4, side } of own)
              expect(
                side === 'BUY' ? priceE4 <= (order?.priceE4 ?? 0) : priceE4 >= (order?.priceE4 ?? 0),
              ).toBe(true)
            const spentE6 = own.reduce((sum, fill) => sum + collateralE6(fill.priceE4, fill.sharesE6), 0)
            if (order?.spendE6 !== undefined) {
              expect(spentE6).toBeLessThanOrEqual(SPEND_E6)
              // What is left of the money buys no further lot.
              if (order.kind === 'FOK' && spentE6 > 0) expect(SPEND_E6 - spentE6).toBeLessThan(order.priceE4)
              continue
            }
            expect(order?.filledE6).toBeLessThanOrEqual(order?.sharesE6 ?? 0)
            if (order?.kind === 'FOK') expect([0, order.sharesE6]).toContain(order.filledE6)
          }
          const live = orders.filter((order) => order?.status === 'live')
          const restingE6 = [true, false].flatMap((isBid) =>
            listing.book.levels(isBid).map(([, shares]) => shares),
          )
          expect(restingE6.reduce((a, b) => a + b, 0)).toBe(
            live.reduce((sum, order) => sum + (order?.sharesE6 ?? 0) - (order?.filledE6 ?? 0), 0),
          )
          expectConserved(fills())
        }),
        { numRuns: 200 },
      )
    },
  )
})

const SPEND_E6 = 7_777_777

function expectApart(bid: number | undefined, ask: number | undefined): void {
  if (bid !== undefined && ask !== undefined) expect(bid).toBeLessThan(ask)
}

/** Every share of one token has one of the other, and all wallets together paid a dollar for the pair, and the fees. */
function expectConserved(fills: readonly VenueFill[]): void {
  let [up, down, cash, fees] = [0, 0, 0, 0]
  for (const { tokenId, side, sharesE6, priceE4, feeE6 } of fills) {
    const sign = side === 'BUY' ? 1 : -1
    if (tokenId === UP) up += sign * sharesE6
    else down += sign * sharesE6
    cash -= sign * collateralE6(priceE4, sharesE6) + feeE6
    fees += feeE6
  }
  expect(up).toBe(down)
  expect(cash + fees + up).toBe(0)
}
