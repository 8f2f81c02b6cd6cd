import type { Clock } from '../../../core/time/clock.ts'
import { MINUTE_MS } from '../../../core/time/time.ts'
import type { PredictionMarket } from '../../../upstreams/polymarket/prediction-market.ts'
import { UpstreamError } from '../../../upstreams/upstream.ts'

/** One page of events, the most traded or the last to end first. */
export type GammaEvents = { events(query: EventsPage): Promise<Page> }
type EventsPage = { closed: boolean; offset: number; limit: number; order: 'volume24hr' | 'endDate' }
/** `events` counts the rows of the reply, good and bad: 0 only behind the last one. */
type Page = { markets: readonly PredictionMarket[]; events: number }

/** What was read of the venue's list. */
export type ReadMarkets = {
  /** Active markets, the most traded first, then those that closed last. */
  markets: readonly PredictionMarket[]
  /** Active events, the most traded ones. */
  events: number
  /** Whether these are all that the venue has. */
  isAll: boolean
}

/** Events of one page: with their markets two or three megabytes, which are parsed in about 40 ms. */
const PAGE = 50
/** After a page that is too large. */
const SMALL_PAGE = 10
const MAX_ACTIVE_EVENTS = 4_000
/** Those that ended last, as far as they are closed. */
const MAX_CLOSED_EVENTS = 100
const MAX_ACTIVE_MARKETS = 10_000
const MAX_CLOSED_MARKETS = 1_000
/** Then a slow venue's list ends: the most traded events are a list of their own, as long as they are not too few. */
const ENOUGH_AFTER_MS = 3 * MINUTE_MS
const ENOUGH_EVENTS = 500
/** A list that takes longer is given up: its first page would be as old as the next list. */
const MAX_READ_MS = 4 * MINUTE_MS

type Ports = { events: GammaEvents; clock: Clock; signal: AbortSignal }
type Part = Pick<EventsPage, 'closed' | 'order'> & { maxEvents: number; maxMarkets: number }

/** Rejects where one page cannot be read. */
export async function readMarketPages({ events, clock, signal }: Ports): Promise<ReadMarkets> {
  const startedMs = clock.now()
  const markets = new Map<string, PredictionMarket>()
  const readPart = async ({ maxEvents, maxMarkets, ...query }: Part) => {
    let read = 0
    while (read < maxEvents && markets.size < maxMarkets) {
      if (signal.aborted) throw new Error('stopped')
      const tookMs = clock.now() - startedMs
      if (tookMs > MAX_READ_MS) throw new Error(`not read whole in ${MAX_READ_MS / MINUTE_MS} minutes`)
      if (!query.closed && tookMs > ENOUGH_AFTER_MS && read >= ENOUGH_EVENTS) break
      const page = await readPage(events, { ...query, offset: read, limit: PAGE })
      if (page.events === 0) return { events: read, isAll: true }
      read += page.events
      // A market that moved to a later page meanwhile is there twice; what was read last is true.
      for (const market of page.markets)
        if (markets.has(market.id) || markets.size < maxMarkets) markets.set(market.id, market)
    }
    return { events: read, isAll: false }
  }
  const active = { closed: false, order: 'volume24hr' } as const
  const found = await readPart({ ...active, maxEvents: MAX_ACTIVE_EVENTS, maxMarkets: MAX_ACTIVE_MARKETS })
  if (markets.size === 0) throw new Error('the venue lists nothing')
  const maxMarkets = markets.size + MAX_CLOSED_MARKETS
  await readPart({ closed: true, order: 'endDate', maxEvents: MAX_CLOSED_EVENTS, maxMarkets })
  return { ...found, markets: [...markets.values()] }
}

/** A reply beyond the bound in bytes is malformed, as is one in another format, which the small pages then tell. */
async function readPage(gamma: GammaEvents, query: EventsPage): Promise<Page> {
  try {
    return await gamma.events(query)
  } catch (error) {
    if (!(error instanceof UpstreamError && error.fault === 'malformed')) throw error
  }
  const markets: PredictionMarket[] = []
  let events = 0
  while (events < query.limit) {
    const page = await gamma.events({ ...query, offset: query.offset + events, limit: SMALL_PAGE })
    if (page.events === 0) break
    events += page.events
    markets.push(...page.markets)
  }
  return { markets, events }
}
