import { describe, expect, it } from 'vitest'
import { searchSize } from '../../testing/search-size.ts'
import { createSeeded, type Seeded } from '../../testing/seeded.ts'
import { mutate } from '../../testing/upstreams/mutate.ts'
import { type Parser, readText, searchMutations } from '../../testing/upstreams/mutation-search.ts'
import { OWN_PAYLOADS } from '../../testing/upstreams/own-payloads.ts'
import { PARSERS } from '../../testing/upstreams/polymarket-parsers.ts'
import { areRecordedMissing, recordedText } from '../../testing/upstreams/recorded.ts'
import type { Activity } from './account-activity.ts'

const areMissing = areRecordedMissing()
const TRIES = searchSize('payload-mutations')

/** Keys of our types that may be undefined. */
const OPTIONAL = new Set(
  `tickSize minOrderSize lastTradePrice hash fee outcome priceToBeat finalPrice volumeUsd liquidityUsd endsAtMs
  startsAtMs listedAtMs volume24hUsd volume1wkUsd bestBid bestAsk priceChange1h priceChange24h priceChange1wk updatedAtMs
  totalResults price averagePrice costUsd feesUsd currentPrice currentValueUsd realizedPnlUsd unrealizedPnlUsd
  nextCursor isWinner secondsDelay negRisk endDayMs question acceptingOrders wasDisputed payoutsE6 resolvedAtMs
  openPrice closePrice region conditionId oldTickSize transactionHash createdAtMs expiresAtMs makingE6 takingE6
  ageS message code isRetryable traceId side tokenId shares usd`.split(/\s+/),
).add('GET /last-trade-price')
/** What is optional in one of our types is required in most others. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  event_by_slug_btc_updown_5m_resolved: [
    'tickSize',
    'minOrderSize',
    'conditionId',
    'negRisk',
    'acceptingOrders',
    'question',
  ],
  gamma_event: ['conditionId', 'question'],
  book_btc_updown_5m: ['tokenId', 'conditionId'],
  v2_trades_taker_only: ['tokenId', 'conditionId', 'side', 'price', 'shares'],
  v2_trades_feed_first_row: ['tokenId', 'conditionId', 'side', 'price', 'shares'],
  v2_positions_open: ['tokenId', 'conditionId', 'outcome', 'shares'],
  v2_resolutions: ['conditionId'],
  polymarket_clob_market_info: ['tokenId', 'conditionId', 'tickSize'],
  market_by_condition_resolved: ['tokenId', 'conditionId', 'tickSize', 'minOrderSize', 'acceptingOrders'],
  prices_history: ['price'],
}

function optionalIn(file: string): ReadonlySet<string> {
  const name = file.replace(/^.*\//, '').replace('.json', '')
  return new Set([...OPTIONAL].filter((key) => !REQUIRED[name]?.includes(key)))
}

const search = (file: string, json: unknown, parse: Parser) =>
  searchMutations({ file, json, parse, optional: optionalIn(file), findFault: findUncounted })

/** A row that moves money must say how much, where and in which transaction; only other rows may leave that out. */
function findUncounted(value: unknown): string | undefined {
  const { rows } = (value ?? {}) as { rows?: unknown }
  const uncounted = (Array.isArray(rows) ? (rows as Partial<Activity>[]) : []).find(
    ({ kind, shares, usd, conditionId, transactionHash }) =>
      kind !== undefined &&
      kind !== 'OTHER' &&
      (shares === undefined || usd === undefined || !conditionId || !transactionHash),
  )
  return uncounted && `a ${uncounted.kind} that does not say what it moved`
}

describe('replies with something wrong in them are read soundly or refused', () => {
  const own = Object.entries(OWN_PAYLOADS)
  it.each(own)('ours: %s', (file, json) => {
    const parse = PARSERS[file]
    if (!parse) throw new Error(`no parser for ${file}`)
    expect(readText(JSON.stringify(json), parse)).toBeDefined()
    const { read, refused } = search(file, json, parse)
    // Both must happen, or the search looks at one side only. Frames are never refused as a whole.
    expect(read).toBeGreaterThan(TRIES / 50)
    if (!file.includes('-ws/')) expect(refused).toBeGreaterThan(TRIES / 50)
  })

  it.skipIf(areMissing).each(Object.entries(PARSERS))('recorded: %s', (file, parse) => {
    const { read, refused } = search(file, JSON.parse(recordedText(file)), parse)
    expect(read + refused).toBe(TRIES)
  })
})

describe('the search would notice', () => {
  const file = 'recorded/polymarket-clob/book_btc_updown_5m.json'
  it.each<[string, Parser]>([
    ['a number that is none', (json) => ({ price: Number((json as { tick_size: unknown }).tick_size) })],
    ['an exception', (json) => ({ price: (json as { bids: object[] }).bids.map((level) => level) })],
    ['a type', (json) => ({ hash: 5, tokenIds: (json as { asset_id: unknown })?.asset_id })],
  ])('%s', (_, parse) => {
    expect(() => search(file, OWN_PAYLOADS[file], parse)).toThrow()
  })

  it('a row of money without its amount', () => {
    const activity = 'recorded/polymarket-data/v2_activity.json'
    const row = { kind: 'TRADE', shares: 5, usd: undefined, conditionId: 'c', transactionHash: 't' }
    expect(() => search(activity, OWN_PAYLOADS[activity], () => ({ rows: [row] }))).toThrow('what it moved')
  })

  it('repeats itself by its seed', () => {
    const texts = (random: Seeded) => Array.from({ length: 20 }, () => mutate(OWN_PAYLOADS[file], random))
    expect(texts(createSeeded(7))).toEqual(texts(createSeeded(7)))
    expect(new Set(texts(createSeeded(7))).size).toBeGreaterThan(15)
  })
})
