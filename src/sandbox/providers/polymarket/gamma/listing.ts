import type { VenueMarket } from '../../../prediction/venue.ts'
import { findTime } from '../wire-time.ts'
import { describeEvent } from './describe.ts'
import { type EventMarkets, tagsOf } from './event.ts'
import { rowCreatedMs } from './market.ts'

/** What lists of events and of markets are filtered and ordered by. */
export type Row = {
  markets: EventMarkets
  id: number
  slug: string
  isClosed: boolean
  endsMs: number
  startsMs: number
  volume: number
  volume24hr: number
  tags: readonly string[]
}
export type Listing = { limit: number; offset: number; select(rows: readonly Row[]): readonly Row[] }

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 500
const MAX_OFFSET = 1_000_000

export function groupByEvent(markets: readonly VenueMarket[]): readonly Row[] {
  const groups = new Map<string, [VenueMarket, ...VenueMarket[]]>()
  for (const market of markets) {
    const group = groups.get(market.eventSlug)
    if (group) group.push(market)
    else groups.set(market.eventSlug, [market])
  }
  return [...groups.values()].map((group) => toRow(group, describeEvent(group[0]).id, group[0].eventSlug))
}

export const toMarketRow = (market: VenueMarket): Row => toRow([market], market.id, market.slug)

function toRow(markets: EventMarkets, id: string, slug: string): Row {
  const total = (of: (market: VenueMarket) => number) => markets.reduce((sum, each) => sum + of(each), 0)
  return {
    markets,
    id: Number(id),
    slug,
    isClosed: markets.every(({ state }) => state === 'resolved'),
    endsMs: Math.max(...markets.map(({ endsMs }) => endsMs)),
    startsMs: rowCreatedMs(markets[0]),
    volume: total(({ volumeE6 }) => volumeE6),
    volume24hr: total(({ volume24hE6 }) => volume24hE6),
    tags: tagsOf(markets),
  }
}

/** The wanted part of a list; a text says what is wrong with the query. */
export function parseListing(query: URLSearchParams, closedByDefault: boolean | undefined): Listing | string {
  const limit = wholeOf(query.get('limit'), DEFAULT_LIMIT)
  const offset = wholeOf(query.get('offset'), 0)
  if (limit === undefined || offset === undefined || offset > MAX_OFFSET) return 'invalid limit or offset'
  const order = orderOf(query.get('order') ?? 'id')
  if (!order) return 'order fields are not valid'
  const filters = parseFilters(query, closedByDefault)
  if (typeof filters === 'string') return filters
  const isUp = query.get('ascending') !== 'false'
  return {
    limit: Math.min(limit, MAX_LIMIT),
    offset,
    select(rows) {
      const wanted = rows.filter((row) => filters.every((isWanted) => isWanted(row)))
      const sorted = wanted.sort((a, b) => (order(a) - order(b) || a.id - b.id) * (isUp ? 1 : -1))
      return sorted.slice(offset, offset + Math.min(limit, MAX_LIMIT))
    },
  }
}

const ORDERS: Readonly<Record<string, (row: Row) => number>> = {
  id: ({ id }) => id,
  volume: ({ volume }) => volume,
  volumenum: ({ volume }) => volume,
  volume24hr: ({ volume24hr }) => volume24hr,
  volume_24hr: ({ volume24hr }) => volume24hr,
  enddate: ({ endsMs }) => endsMs,
  end_date: ({ endsMs }) => endsMs,
  startdate: ({ startsMs }) => startsMs,
  start_date: ({ startsMs }) => startsMs,
  createdat: ({ startsMs }) => startsMs,
}
const orderOf = (name: string) => {
  const key = name.toLowerCase()
  return Object.hasOwn(ORDERS, key) ? ORDERS[key] : undefined
}

type Filter = (row: Row) => boolean

function parseFilters(
  query: URLSearchParams,
  closedByDefault: boolean | undefined,
): readonly Filter[] | string {
  const filters: Filter[] = []
  const closed = flagOf(query.get('closed'), closedByDefault)
  if (closed === 'malformed') return 'invalid closed'
  if (closed !== undefined) filters.push(({ isClosed }) => isClosed === closed)
  if (flagOf(query.get('active'), true) === false) filters.push(() => false)
  const tag = query.get('tag_slug')
  if (tag !== null) filters.push(({ tags }) => tags.includes(tag))
  for (const [name, of, sign] of BOUNDS) {
    const text = query.get(name)
    if (text === null) continue
    const boundMs = findTime(text)
    if (boundMs === undefined) return `invalid ${name}`
    filters.push((row) => (of(row) - boundMs) * sign >= 0)
  }
  return filters
}

const BOUNDS: readonly [string, (row: Row) => number, 1 | -1][] = [
  ['end_date_min', ({ endsMs }) => endsMs, 1],
  ['end_date_max', ({ endsMs }) => endsMs, -1],
  ['start_date_min', ({ startsMs }) => startsMs, 1],
  ['start_date_max', ({ startsMs }) => startsMs, -1],
]

function flagOf(text: string | null, fallback: boolean | undefined): boolean | undefined | 'malformed' {
  if (text === null || text === '') return fallback
  return text === 'true' ? true : text === 'false' ? false : 'malformed'
}

function wholeOf(text: string | null, fallback: number): number | undefined {
  if (text === null || text === '') return fallback
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
