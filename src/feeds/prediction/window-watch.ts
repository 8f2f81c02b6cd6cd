import { COINS, type Coin, mapCoins } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { WINDOW_S, type Window, windowAt } from '../../core/time/window.ts'
import type { FiveMinuteMarket } from '../../upstreams/polymarket/five-minute-market.ts'
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
  find(coin: Coin, windowStartS: number): FiveMinuteMarket | undefined
  /** Those whose outcome has been told, oldest first. */
  resolved(): readonly FiveMinuteMarket[]
  /** Something has happened: read it soon. */
  hurry(coin: Coin, windowStartS: number): void
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
  onKnown(market: FiveMinuteMarket): void
  /** Once for each window. */
  onResolved(market: FiveMinuteMarket): void
}

type Watched = {
  coin: Coin
  window: Window
  market: FiveMinuteMarket | undefined
  isTold: boolean
  failures: number
  dueMs: number | undefined
  isBusy: boolean
}

export function createWindowWatch(options: Options): WindowWatch {
  const { clock, log } = options
  const watched = mapCoins(() => new Map<number, Watched>())
  const all = () => COINS.flatMap((coin) => [...watched[coin].values()])
  let lastS = (options.sinceS ?? windowAt(clock.now()).startS - WINDOW_S) - WINDOW_S
  let failures = 0
  let resolved = 0

  const take = (entry: Watched, market: FiveMinuteMarket) => {
    entry.market = market
    entry.failures = 0
    const waitMs = nextReadMs(market, clock.now())
    entry.dueMs = waitMs === undefined ? undefined : clock.now() + waitMs
    options.onKnown(market)
    if (entry.isTold || market.outcome === undefined) return
    entry.isTold = true
    resolved++
    options.onResolved(market)
  }
  const miss = (entry: Watched, error?: unknown) => {
    const { coin, window } = entry
    failures++
    entry.dueMs = clock.now() + nextRetryMs(window, entry.failures++, clock.now(), options.random)
    log.debug({ coin, windowStart: window.startS, error: error && String(error) }, 'market not read')
  }
  const read = async (entry: Watched) => {
    const { coin, window } = entry
    entry.isBusy = true
    try {
      const market = await options.lookup.fiveMinute(coin, window.startS)
      if (market && market.coin === coin && market.window.startS === window.startS) take(entry, market)
      else miss(entry)
    } catch (error) {
      miss(entry, error)
    }
    entry.isBusy = false
  }
  return {
    tick() {
      const nowMs = clock.now()
      for (const startS of windowsDue(lastS, nowMs)) {
        for (const coin of COINS) watched[coin].set(startS, watch(coin, startS, nowMs))
        lastS = startS
      }
      for (const entry of all()) if (isForgotten(entry.window, nowMs)) forget(watched, entry, log)
      const free = MAX_UNDER_WAY - all().filter(({ isBusy }) => isBusy).length
      for (const entry of dueFirst(all(), nowMs).slice(0, Math.max(0, free))) void read(entry)
    },
    find: (coin, windowStartS) => watched[coin].get(windowStartS)?.market,
    resolved: () =>
      all()
        .flatMap(({ market, isTold }) => (market && isTold ? market : []))
        .sort((a, b) => a.window.startS - b.window.startS),
    hurry(coin, windowStartS) {
      const entry = watched[coin].get(windowStartS)
      if (entry?.dueMs !== undefined) entry.dueMs = clock.now()
    },
    get isBusy() {
      return all().some(({ isBusy }) => isBusy)
    },
    counts: () => ({ ...countsOf(all(), clock.now()), resolved, failures }),
  }
}

const watch = (coin: Coin, startS: number, nowMs: number): Watched => ({
  coin,
  window: { startS, endS: startS + WINDOW_S },
  market: undefined,
  isTold: false,
  failures: 0,
  dueMs: nowMs,
  isBusy: false,
})

/** The windows around now are read first: they are traded. */
function dueFirst(entries: readonly Watched[], nowMs: number): readonly Watched[] {
  const distance = ({ window }: Watched) => Math.abs(window.startS + WINDOW_S / 2 - nowMs / 1000)
  return entries
    .filter((entry) => entry.dueMs !== undefined && entry.dueMs <= nowMs && !entry.isBusy)
    .sort((a, b) => distance(a) - distance(b))
}

function forget(
  watched: Record<Coin, Map<number, Watched>>,
  { coin, window, isTold }: Watched,
  log: FeedLog,
): void {
  watched[coin].delete(window.startS)
  if (!isTold) log.warn({ coin, windowStart: window.startS }, 'window without an outcome after a day')
}

function countsOf(entries: readonly Watched[], nowMs: number) {
  const closed = entries.filter(({ window }) => window.endS * 1000 <= nowMs)
  return {
    watched: entries.length,
    unknown: entries.filter(({ market }) => !market).length,
    unresolved: closed.filter(({ isTold }) => !isTold).length,
  }
}
