import { COINS, type Coin, mapCoins } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { WINDOW_S, type Window, windowAt } from '../../core/time/window.ts'
import type { FiveMinuteMarket } from '../../upstreams/polymarket/five-minute-market.ts'
import { shownError } from '../../upstreams/rules/tally.ts'
import type { Aged } from '../../upstreams/source.ts'
import { isUnsent } from '../../upstreams/upstream.ts'
import type { FeedLog } from '../feed-log.ts'
import { isForgotten, nextReadMs, nextRetryMs, windowsDue } from './read-schedule.ts'

/** Where markets are looked up; undefined while the venue does not list one. Answers or fails within half a minute. */
export type MarketLookup = {
  fiveMinute(coin: Coin, windowStartS: number): Promise<FiveMinuteMarket | undefined>
}

/** Reads at the same time; the others wait for the next second. */
const MAX_UNDER_WAY = 8

/** Every window of the last day and of the next minutes, each read until its outcome is known. */
export type WindowWatch = {
  /** Called every second. */
  tick(): void
  /** As old as the request that found it. */
  find(coin: Coin, windowStartS: number): Aged<FiveMinuteMarket> | undefined
  /** Why a window is not found: for everybody to see. */
  missing(coin: Coin, windowStartS: number): string
  /** Those whose outcome has been told, oldest first. */
  resolved(): readonly FiveMinuteMarket[]
  /** Something has happened: read it soon. False where it is not watched. */
  hurry(coin: Coin, windowStartS: number): boolean
  readonly isBusy: boolean
  counts(): WatchCounts
}

export type WatchCounts = {
  watched: number
  unknown: number
  unresolved: number
  resolved: number
  failures: number
}

type Options = {
  clock: Clock
  lookup: MarketLookup
  random: () => number
  log: FeedLog
  /** Outcomes are told of windows from this start on; by default of the one before the present one. */
  sinceS?: number | undefined
  onKnown(market: FiveMinuteMarket, asOfMs: number): void
  /** Once for each window. */
  onResolved(market: FiveMinuteMarket): void
}

type Watched = {
  coin: Coin
  window: Window
  listed: Aged<FiveMinuteMarket> | undefined
  isTold: boolean
  /** Reads in a row that did not find it, and whether the last one had an answer at all. */
  failures: number
  isAnswered: boolean
  dueMs: number
  isBusy: boolean
}

export function createWindowWatch(options: Options): WindowWatch {
  const { clock, log } = options
  const watched = mapCoins(() => new Map<number, Watched>())
  const all = () => COINS.flatMap((coin) => [...watched[coin].values()])
  let lastS = (options.sinceS ?? windowAt(clock.now()).startS - WINDOW_S) - WINDOW_S
  /** Those that are read again. */
  const pending = new Set<Watched>()
  let busy = 0
  const misses = createMisses(options)
  let resolved = 0

  const take = (entry: Watched, market: FiveMinuteMarket, asOfMs: number) => {
    entry.listed = { value: market, asOfMs }
    entry.failures = 0
    const waitMs = nextReadMs(market, asOfMs)
    entry.dueMs = asOfMs + (waitMs ?? 0)
    if (waitMs === undefined) pending.delete(entry)
    options.onKnown(market, asOfMs)
    if (entry.isTold || market.outcome === undefined) return
    entry.isTold = true
    resolved++
    options.onResolved(market)
  }
  const read = async (entry: Watched) => {
    const { coin, window } = entry
    const sentMs = clock.now()
    entry.isBusy = true
    busy++
    try {
      const market = await options.lookup.fiveMinute(coin, window.startS)
      if (market && market.coin === coin && market.window.startS === window.startS)
        take(entry, market, sentMs)
      else misses.add(entry)
    } catch (error) {
      misses.add(entry, error)
    }
    entry.isBusy = false
    busy--
  }
  return {
    tick() {
      const nowMs = clock.now()
      for (const startS of windowsDue(lastS, nowMs)) {
        forgetOld(watched, pending, nowMs, log)
        for (const coin of COINS) pending.add(watch(watched, coin, startS, nowMs))
        lastS = startS
      }
      for (const entry of dueFirst(pending, nowMs).slice(0, MAX_UNDER_WAY - busy)) void read(entry)
    },
    find: (coin, windowStartS) => watched[coin].get(windowStartS)?.listed,
    missing: (coin, windowStartS) => misses.why(coin, watched[coin].get(windowStartS)),
    resolved: () =>
      all()
        .flatMap(({ listed, isTold }) => (listed && isTold ? listed.value : []))
        .sort((a, b) => a.window.startS - b.window.startS),
    hurry(coin, windowStartS) {
      const entry = watched[coin].get(windowStartS)
      if (entry) entry.dueMs = clock.now()
      return entry !== undefined
    },
    get isBusy() {
      return busy > 0
    },
    counts: () => ({ ...countsOf(all(), clock.now()), resolved, failures: misses.count() }),
  }
}

/** Reads that did not find their window. */
function createMisses({ clock, log, random }: Pick<Options, 'clock' | 'log' | 'random'>) {
  let count = 0
  let lastError = 'not asked'
  return {
    add(entry: Watched, error?: unknown) {
      const { coin, window } = entry
      count++
      entry.isAnswered = error === undefined
      entry.dueMs = clock.now() + nextRetryMs(window, entry.failures++, clock.now(), random)
      // What was not sent, because the host is spared, is no failure of its own.
      if (isUnsent(error)) return
      if (error !== undefined) lastError = shownError(error)
      log.debug({ coin, windowStart: window.startS, error: error && String(error) }, 'market not read')
    },
    why(coin: Coin, entry: Watched | undefined): string {
      if (!entry || entry.failures === 0) return `the ${coin} market of this window is being looked up`
      if (entry.isAnswered) return `the venue has not named the ${coin} market of this window yet`
      return `the market list of the venue could not be read (${lastError})`
    },
    count: () => count,
  }
}

type All = Record<Coin, Map<number, Watched>>

function watch(watched: All, coin: Coin, startS: number, nowMs: number): Watched {
  const window = { startS, endS: startS + WINDOW_S }
  const entry = {
    coin,
    window,
    listed: undefined,
    isTold: false,
    failures: 0,
    isAnswered: false,
    dueMs: nowMs,
    isBusy: false,
  }
  watched[coin].set(startS, entry)
  return entry
}

/** Windows that may be traded are read first, the others in the order in which they fell due, so that each gets its turn. */
function dueFirst(entries: Iterable<Watched>, nowMs: number): readonly Watched[] {
  const isTraded = ({ window }: Watched) => window.endS * 1000 > nowMs
  return [...entries]
    .filter(({ dueMs, isBusy }) => dueMs <= nowMs && !isBusy)
    .sort(
      (a, b) =>
        Number(isTraded(b)) - Number(isTraded(a)) || a.dueMs - b.dueMs || a.window.startS - b.window.startS,
    )
}

function forgetOld(watched: All, pending: Set<Watched>, nowMs: number, log: FeedLog): void {
  for (const coin of COINS)
    for (const entry of watched[coin].values()) {
      const { window, isTold } = entry
      // In order of time: those that follow are younger.
      if (!isForgotten(window, nowMs)) break
      watched[coin].delete(window.startS)
      pending.delete(entry)
      if (!isTold) log.warn({ coin, windowStart: window.startS }, 'window without an outcome after a day')
    }
}

function countsOf(entries: readonly Watched[], nowMs: number) {
  const closed = entries.filter(({ window }) => window.endS * 1000 <= nowMs)
  return {
    watched: entries.length,
    unknown: entries.filter(({ listed }) => !listed).length,
    unresolved: closed.filter(({ isTold }) => !isTold).length,
  }
}
