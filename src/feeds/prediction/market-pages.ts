import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { PredictionMarket } from '../../upstreams/polymarket/prediction-market.ts'

/** The markets of one page of events, the most traded or the last to end first; none behind the last page. */
export type GammaEvents = {
  page(query: EventsPage): Promise<readonly PredictionMarket[]>
}
type EventsPage = { closed: boolean; offset: number; limit: number; order: 'volume24hr' | 'endDate' }

/** Events of one page: with their markets about a megabyte, which is parsed in a few milliseconds. */
const PAGE = 20
/** The most traded 4,000 events. */
const MAX_ACTIVE_PAGES = 200
/** The 100 events that ended last, as far as they are closed. */
const MAX_CLOSED_PAGES = 5
const MAX_ACTIVE_MARKETS = 10_000
const MAX_CLOSED_MARKETS = 1_000
/** A list that takes longer is given up: its first page would be as old as the next list. */
const MAX_READ_MS = 4 * MINUTE_MS

type Ports = { events: GammaEvents; clock: Clock; signal: AbortSignal }

/** Active markets, the most traded first, then those that closed last. Rejects where one page cannot be read. */
export async function readMarketPages({
  events,
  clock,
  signal,
}: Ports): Promise<readonly PredictionMarket[]> {
  const giveUpMs = clock.now() + MAX_READ_MS
  const markets = new Map<string, PredictionMarket>()
  const readPages = async (query: Pick<EventsPage, 'closed' | 'order'>, maxPages: number, max: number) => {
    for (let pages = 0; pages < maxPages && markets.size < max; pages++) {
      if (signal.aborted) throw new Error('stopped')
      if (clock.now() > giveUpMs) throw new Error(`not read whole in ${MAX_READ_MS / MINUTE_MS} minutes`)
      const page = await events.page({ ...query, offset: pages * PAGE, limit: PAGE })
      if (page.length === 0) return
      // A market that moved to a later page meanwhile is there twice; what was read last is true.
      for (const market of page)
        if (markets.has(market.id) || markets.size < max) markets.set(market.id, market)
    }
  }
  await readPages({ closed: false, order: 'volume24hr' }, MAX_ACTIVE_PAGES, MAX_ACTIVE_MARKETS)
  if (markets.size === 0) throw new Error('the venue lists nothing')
  await readPages({ closed: true, order: 'endDate' }, MAX_CLOSED_PAGES, markets.size + MAX_CLOSED_MARKETS)
  return [...markets.values()]
}
