import type { Coin } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'
import type { HostGates } from '../../upstreams/rules/host-gate.ts'
import type { FeedLog } from '../feed-log.ts'
import type { OpenSocket } from '../open-socket.ts'
import { createLiquidationSocket } from './liquidation-socket.ts'
import { LIQUIDATION_VENUES, type LiquidationStream, type LiquidationVenue } from './liquidation-streams.ts'
import { createLiquidationTally, type Span } from './liquidation-tally.ts'

const HOUR: Span = { fromMinutes: 60, toMinutes: 0 }
const DAY: Span = { fromMinutes: 24 * 60, toMinutes: 0 }
const BEFORE_THE_HOUR: Span = { fromMinutes: 24 * 60, toMinutes: 60 }
/** Fewer hours do not say what is usual. */
const MIN_USUAL_HOURS = 3
/** Below it the last hour is not known well enough to be compared. */
const MIN_COVERAGE = 0.5

export type LiquidationTotals = {
  /** As long as asked for, or since we listen. */
  spanMs: number
  longUsd: number
  shortUsd: number
  count: number
  /** Share of the span in which each venue was listened to. */
  coverage: Readonly<Record<LiquidationVenue, number>>
}

export type LiquidationFeed = {
  /** Of the last hour or day; undefined where no venue was listened to in it. */
  totals(coin: Coin, span: 'hour' | 'day'): LiquidationTotals | undefined
  /** Dollars of the last hour against those of an hour of the day before it; undefined while either is not known. */
  burst(coin: Coin): { lastHourUsd: number; usualHourUsd: number } | undefined
  /** When any venue was last connected; undefined before the first. */
  heardMs(): number | undefined
  /** How many were told of since the start. */
  readonly count: number
  /** Rows that could not be read. */
  readonly skipped: number
  start(): void
  stop(): void
}

type Options = {
  streams: readonly LiquidationStream[]
  clock: Clock
  random: () => number
  gates: HostGates
  log: FeedLog
  openSocket: OpenSocket
}

/** Listens to all venues that tell of liquidations, and sums up what they tell. */
export function createLiquidationFeed({ streams, gates, ...ports }: Options): LiquidationFeed {
  const { clock } = ports
  const tally = createLiquidationTally(ports)
  let count = 0
  let heardMs: number | undefined
  const sockets = streams.map((stream) => ({
    venue: stream.venue,
    socket: createLiquidationSocket({
      ...ports,
      stream,
      gate: gates.of(stream.url),
      onLiquidation(liquidation) {
        count++
        tally.note(liquidation)
      },
    }),
  }))
  const stopChecks = clock.every(SECOND_MS, () => {
    for (const { venue, socket } of sockets) {
      socket.check()
      if (!socket.isOpen) continue
      tally.listened(venue)
      heardMs = clock.now()
    }
  })
  /** What has passed of a span: it ends within the minute that is under way, and begins when we did at the earliest. */
  const passedMs = ({ fromMinutes }: Span): number => {
    const sinceMs = tally.sinceMs()
    const nowMs = clock.now()
    const earliestMs = (Math.floor(nowMs / MINUTE_MS) - fromMinutes + 1) * MINUTE_MS
    return sinceMs === undefined ? 0 : Math.max(SECOND_MS, nowMs - Math.max(earliestMs, sinceMs))
  }
  const coverageOf = (span: Span) => {
    const [listenedMs, spanMs] = [tally.listenedMs(span), passedMs(span)]
    const shareOf = (venue: LiquidationVenue) => (spanMs > 0 ? Math.min(1, listenedMs[venue] / spanMs) : 0)
    return { binance: shareOf('binance'), bybit: shareOf('bybit'), okx: shareOf('okx') }
  }
  return {
    totals(coin, name) {
      const span = name === 'hour' ? HOUR : DAY
      const coverage = coverageOf(span)
      if (LIQUIDATION_VENUES.every((venue) => coverage[venue] === 0)) return undefined
      return { spanMs: passedMs(span), ...tally.sum(coin, span), coverage }
    },
    burst(coin) {
      const coverage = meanOf(coverageOf(HOUR))
      const usualHours = meanOf(tally.listenedMs(BEFORE_THE_HOUR)) / HOUR_MS
      if (coverage < MIN_COVERAGE || usualHours < MIN_USUAL_HOURS) return undefined
      const last = tally.sum(coin, HOUR)
      const before = tally.sum(coin, BEFORE_THE_HOUR)
      return {
        lastHourUsd: (last.longUsd + last.shortUsd) / coverage,
        usualHourUsd: (before.longUsd + before.shortUsd) / usualHours,
      }
    },
    heardMs: () => heardMs,
    get count() {
      return count
    },
    get skipped() {
      return sockets.reduce((sum, { socket }) => sum + socket.skipped, 0)
    },
    start() {
      for (const { socket } of sockets) socket.start()
    },
    stop() {
      stopChecks()
      for (const { socket } of sockets) socket.stop()
    },
  }
}

const meanOf = (byVenue: Readonly<Record<LiquidationVenue, number>>): number =>
  LIQUIDATION_VENUES.reduce((sum, venue) => sum + byVenue[venue], 0) / LIQUIDATION_VENUES.length
