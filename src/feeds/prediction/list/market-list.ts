import { describeError } from '../../../core/describe-error.ts'
import { ServiceError } from '../../../core/service-error.ts'
import { createBackoff } from '../../../core/time/backoff.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { MINUTE_MS, SECOND_MS } from '../../../core/time/time.ts'
import type { PredictionMarket } from '../../../upstreams/polymarket/prediction-market.ts'
import type { Aged } from '../../../upstreams/source.ts'
import { UpstreamError, type UpstreamFault } from '../../../upstreams/upstream.ts'
import type { FeedLog } from '../../feed-log.ts'
import { type GammaEvents, type ReadMarkets, readMarketPages } from './market-pages.ts'

/** `events`: how many were read, the most traded ones; `isAll`: whether the venue has no others. */
export type ListedMarkets = Aged<readonly PredictionMarket[]> & Pick<ReadMarkets, 'events' | 'isAll'>

/** What the venue lists, read every five minutes. */
export type MarketList = {
  /** The last whole list; undefined until there is one. */
  last(): ListedMarkets | undefined
  /** When the next one is due; in the past while it is being read. */
  nextMs(): number
  /** Why there is none, or why it is old. */
  missing(): string
}

export type MarketListFeed = MarketList & {
  start(): void
  stop(): void
  /** Reads it now, or waits for the read that is under way. Throws 503 where that fails; it is tried again then. */
  refresh(): Promise<ListedMarkets>
}

const REFRESH_MS = 5 * MINUTE_MS
const BELIEVED_AFTER = 3
const RETRY_BOUNDS = { firstMs: 5 * SECOND_MS, maxMs: MINUTE_MS }

type Ports = { clock: Clock; random: () => number; events: GammaEvents; log: FeedLog }

/** Reads the whole list again and again. A list is replaced by a whole one only. */
export function createMarketList({ clock, random, events, log }: Ports): MarketListFeed {
  const backoff = createBackoff(RETRY_BOUNDS, random)
  const stopped = new AbortController()
  let last: ListedMarkets | undefined
  let missing = 'it has not been read yet'
  let failures = 0
  let nextMs = clock.now()
  let cancel = () => {}
  let underWay: Promise<void> | undefined

  const schedule = (waitMs: number) => {
    nextMs = clock.now() + waitMs
    cancel = clock.after(waitMs, () => void readOnce())
  }
  const readOnce = (): Promise<void> => {
    underWay ??= read().finally(() => {
      underWay = undefined
    })
    return underWay
  }
  const read = async () => {
    // A list is as old as its first page.
    const asOfMs = clock.now()
    try {
      const { markets, ...read } = await readMarketPages({ events, clock, signal: stopped.signal })
      if (stopped.signal.aborted) return
      if (isCutShort(read.events, last, failures)) throw new Error(`only ${read.events} events were listed`)
      if (failures > 0) log.info({ failures }, 'the list of prediction markets is read again')
      last = { ...read, value: markets, asOfMs }
      missing = ''
      failures = 0
      backoff.reset()
      schedule(Math.max(0, asOfMs + REFRESH_MS - clock.now()))
    } catch (error) {
      if (stopped.signal.aborted) return
      missing = error instanceof UpstreamError ? WORDS[error.fault] : 'it could not be read whole'
      if (failures++ === 0)
        log.warn({ cause: describeError(error) }, 'the list of prediction markets could not be read')
      schedule(backoff.nextMs())
    }
  }
  return {
    last: () => last,
    nextMs: () => nextMs,
    missing: () => missing,
    start: () => void readOnce(),
    stop() {
      stopped.abort()
      cancel()
    },
    async refresh() {
      // Else the read that was due would follow this one at once.
      cancel()
      await readOnce()
      if (last && missing === '') return last
      throw new ServiceError('upstream_unavailable', `the list of prediction markets: ${missing}`)
    },
  }
}

/** An empty page in the middle looks like the end. A venue that says the same again and again has fewer events. */
function isCutShort(events: number, last: ListedMarkets | undefined, failures: number): boolean {
  return last !== undefined && failures < BELIEVED_AFTER && events < last.events / 2
}

/** For everybody to see; the log says more. */
const WORDS: Readonly<Record<UpstreamFault, string>> = {
  not_found: 'the venue does not find its list',
  refused: 'the venue refuses to list its markets',
  down: 'the venue does not answer',
  malformed: 'the venue answers in a format that we cannot read',
  frozen: 'the venue says nothing new',
  busy: 'the venue is not asked for a while, because it was down or its limit was reached',
}
