import { expect, test } from 'vitest'
import type { Resting } from './book/order-book.ts'
import { createExchange } from './exchange.ts'
import { createListing } from './listing.ts'
import type { VenueEvent } from './venue.ts'

const NOW_MS = Date.UTC(2026, 0, 5, 12)

test('shares that are taken and put back in one moment are told twice, so that nobody keeps the book in between', () => {
  const exchange = createExchange('seed')
  const listing = createListing({
    market: {
      id: '1',
      conditionId: `0x${'c'.repeat(64)}`,
      slug: 'a-market',
      question: 'A market?',
      outcomes: ['Up', 'Down'],
      tokenIds: ['11', '12'],
      series: undefined,
      eventSlug: 'an-event',
      tags: [],
      listedMs: NOW_MS,
      endsMs: NOW_MS + 60_000,
      tickE4: 100,
      minShares: 5e6,
      volumeE6: 0,
      volume24hE6: 0,
      lastTradeE4: undefined,
    },
    nowMs: NOW_MS,
    acceptUntilMs: NOW_MS + 60_000,
    resolutionDelayMs: 0,
    isDisputed: false,
    decide: () => 0,
    fairAt: () => 0.5,
  })
  const ask = (id: string, leftE6: number): Resting => ({
    id,
    wallet: 'maker',
    token: 0,
    side: 'SELL',
    isBid: false,
    priceE4: 6_000,
    leftE6,
  })
  listing.book.add(ask('a', 20e6))
  exchange.flush(listing, NOW_MS)
  const told: VenueEvent[] = []
  exchange.events.listen((event) => told.push(event))

  const taker = { token: 0, isBid: true, limitE4: 6_000, sharesE6: 15e6, spendE6: undefined } as const
  const { matches } = listing.book.plan(taker)
  exchange.trade(listing, { ...taker, orderId: 't', wallet: 'taker', side: 'BUY' }, matches, NOW_MS + 1_000)
  listing.book.add(ask('b', 15e6))
  exchange.flush(listing, NOW_MS + 1_000)

  const sizes = told.flatMap((event) =>
    event.type === 'book' && event.tokenId === '11' ? event.changes.map(({ sharesE6 }) => sharesE6) : [],
  )
  expect(sizes).toEqual([5e6, 20e6])
  expect(listing.changedMs).toBe(NOW_MS + 1_000)
})
