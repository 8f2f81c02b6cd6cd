import { COINS, type Coin } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { WINDOW_S, windowAt } from '../../core/time/window.ts'
import type { FiveMinuteMarket } from '../../upstreams/polymarket/five-minute-market.ts'
import type { HostGate } from '../../upstreams/rules/host-gate.ts'
import { type FeedLog, logUntil } from '../feed-log.ts'
import type { OpenSocket } from '../open-socket.ts'
import type { StreamHealth } from '../stream-health.ts'
import { type BookLookup, createBookReads } from './book-reads.ts'
import { createCoinGauges } from './coin-gauges.ts'
import type { MarketAndBooks } from './followed-market.ts'
import { createFollowedMarkets, type FollowCounts } from './followed-markets.ts'
import { createMarketSocket, type MarketSocket } from './market-socket.ts'
import { createWindowWatch, type MarketLookup, type WatchCounts, type WindowWatch } from './window-watch.ts'

/** `version` rises with every change, from one window to the next too. */
export type WindowMarket = MarketAndBooks & { version: number }

/** The five-minute markets of all coins, kept current over the market socket and checked over REST. */
export type FiveMinuteMarkets = {
  /** The market of the window that is open now; undefined until it is known with whole, uncrossed books. */
  open(coin: Coin): WindowMarket | undefined
  /** Why there is none. */
  missing(coin: Coin): string
  /** The market of any window that we heard of, newest first, for those who trade and resolve. */
  market(coin: Coin, windowStartS: number): FiveMinuteMarket | undefined
}

export type FiveMinuteHealth = FollowCounts & {
  isConnected: boolean
  /** Of the open window of each coin: the age of its books, or why there are none. */
  books: readonly { coin: Coin; ageMs?: number; missing?: string }[]
  /** One for each coin. */
  streams: readonly StreamHealth[]
  windows: WatchCounts
  bookReads: { requests: number; failures: number }
}

export type FiveMinuteFeed = FiveMinuteMarkets & {
  start(): void
  stop(): void
  /** Called once for each window with an outcome: at once for those of the last day that we know, later for the others. */
  onResolved(listener: (market: FiveMinuteMarket) => void): () => void
  /** Reads the open and the next window of every coin again now, rather than when it is due. Returns how many. */
  refresh(): number
  /** Replaces the connection to the market channel; false where there is none to replace. */
  reconnect(): boolean
  health(): FiveMinuteHealth
  /** True while requests are under way. */
  readonly isBusy: boolean
}

export type FiveMinuteOptions = {
  clock: Clock
  random: () => number
  log: FeedLog
  lookup: MarketLookup & BookLookup
  /** Of the market channel. */
  url: string
  gate: Pick<HostGate, 'check' | 'note'>
  openSocket: OpenSocket
  /** Outcomes are told of windows from this start on; by default of the one before the present one. */
  sinceS?: number | undefined
}

const TICK_MS = 1_000

export function createFiveMinuteMarkets(given: FiveMinuteOptions): FiveMinuteFeed {
  const { clock } = given
  const stopped = new AbortController()
  const options = { ...given, log: logUntil(stopped.signal, given.log) }
  const listeners = new Set<(market: FiveMinuteMarket) => void>()
  const gauges = createCoinGauges(clock)
  const watch = createWindowWatch({
    ...options,
    onKnown(market, asOfMs) {
      followed.know({ value: market, asOfMs })
      socket.want(followed.select(watch.find))
    },
    onResolved: (market) => listeners.forEach((tell) => void tell(market)),
  })
  const followed = createFollowedMarkets({ clock, gauges, hurry: watch.hurry })
  const socket = createMarketSocket({
    ...options,
    onSubscribed: followed.subscribed,
    onEvent: followed.take,
    onLost: followed.lost,
  })
  const reads = createBookReads({ ...options, onBook: followed.check })
  const version = createVersions()
  const tick = () => {
    watch.tick()
    socket.want(followed.select(watch.find))
    socket.check()
    const fault = followed.whyReconnect()
    if (fault) socket.drop(fault)
    reads.tick(followed.unconfirmed())
    followed.compareSides()
  }
  let stopTicks = () => {}
  const startOf = () => windowAt(clock.now()).startS
  const findOpen = (coin: Coin) => followed.find(coin, startOf())
  const readOpen = (coin: Coin) => findOpen(coin)?.read()
  const missing = (coin: Coin) => findOpen(coin)?.missing() ?? watch.missing(coin, startOf())
  return {
    open: (coin) => version(coin, readOpen(coin)),
    missing,
    market(coin, windowStartS) {
      const found = followed.find(coin, windowStartS)?.market() ?? watch.find(coin, windowStartS)?.value
      return found && untilOver(found, clock.now())
    },
    start() {
      stopTicks = clock.every(TICK_MS, tick)
      tick()
    },
    stop() {
      stopped.abort()
      stopTicks()
      socket.close()
    },
    onResolved(listener) {
      listeners.add(listener)
      for (const market of watch.resolved()) listener(market)
      return () => void listeners.delete(listener)
    },
    refresh: () => hurryOpen(watch, startOf(), tick),
    reconnect: () => replace(socket),
    health: () => ({
      ...followed.counts(),
      isConnected: socket.isOpen,
      books: COINS.map((coin) => bookHealth(coin, readOpen(coin)?.asOfMs, clock.now(), missing)),
      streams: gauges.read(),
      windows: watch.counts(),
      bookReads: reads.counts(),
    }),
    get isBusy() {
      return watch.isBusy || reads.isBusy
    },
  }
}

/** The open window and the next one of every coin. */
function hurryOpen(watch: Pick<WindowWatch, 'hurry'>, startS: number, tick: () => void): number {
  const starts = [startS, startS + WINDOW_S]
  const hurried = COINS.flatMap((coin) => starts.filter((each) => watch.hurry(coin, each)))
  tick()
  return hurried.length
}

function replace(socket: MarketSocket): boolean {
  const wasOpen = socket.isOpen
  socket.drop('the operator asked for it')
  return wasOpen
}

export const bookHealth = (
  coin: Coin,
  asOfMs: number | undefined,
  nowMs: number,
  missing: (coin: Coin) => string,
): FiveMinuteHealth['books'][number] =>
  asOfMs === undefined ? { coin, missing: missing(coin) } : { coin, ageMs: nowMs - asOfMs }

/** Whatever was read before: nobody trades a window that is over. */
export const untilOver = (market: FiveMinuteMarket, nowMs: number): FiveMinuteMarket =>
  nowMs < market.window.endS * 1000 ? market : { ...market, acceptingOrders: false }

/** A number for each object that is shown, which rises from one window to the next too. */
function createVersions(): (coin: Coin, found: MarketAndBooks | undefined) => WindowMarket | undefined {
  let version = 0
  const shown = new Map<Coin, { of: MarketAndBooks; market: WindowMarket }>()
  return (coin, found) => {
    const last = shown.get(coin)
    if (!found) return undefined
    if (last?.of === found) return last.market
    const market = { ...found, version: ++version }
    shown.set(coin, { of: found, market })
    return market
  }
}
