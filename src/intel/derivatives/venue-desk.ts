import { COINS, type Coin, mapCoins } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'
import type { PerpetualVenue, VenuePerpetual } from '../../upstreams/perpetuals/perpetual-venue.ts'
import { createPolled } from '../../upstreams/polled.ts'
import { type Ages, denied, type Part, toPart } from '../part.ts'
import type { DerivativesVenue } from './derivatives.ts'
import type { PerpetualDetail } from './derivatives-desk.ts'
import { toEightHourSums, toEightHours } from './eight-hour-funding.ts'
import { createOpenInterestMemory } from './open-interest-memory.ts'

const POLL_EVERY_MS = 30 * SECOND_MS
const PAST_EVERY_MS = HOUR_MS
/** Rates move by the minute; three polls may fail. */
const AGES: Ages = { freshMs: 90 * SECOND_MS, hardMs: 5 * MINUTE_MS }
/** Mark price, open interest and volume of four coins do not all stand still for a minute at any of the venues. */
const MOVES_WITHIN_MS = MINUTE_MS
/** What is usual is taken from a week: 21 settlements at most venues. */
const PAST_DAYS = 7

export const SOURCES: Readonly<Record<DerivativesVenue, string>> = {
  binance: 'binance_futures',
  bybit: 'bybit',
  okx: 'okx',
  hyperliquid: 'hyperliquid',
}

/** One venue, read on a schedule. */
export type VenueDesk = {
  perpetual(coin: Coin): Part<PerpetualDetail>
  /** What was paid in past spans of eight hours, by the number of the span. */
  pastFunding(coin: Coin): ReadonlyMap<number, number>
  /** Rises with every read. */
  reads(): number
  start(): Promise<void>
  stop(): void
}

type Ports = { clock: Clock; random: () => number }

export function createVenueDesk(name: DerivativesVenue, venue: PerpetualVenue, ports: Ports): VenueDesk {
  const { clock } = ports
  const memory = createOpenInterestMemory()
  let reads = 0
  const now = createPolled({
    ...ports,
    everyMs: POLL_EVERY_MS,
    async fetch() {
      const found = await venue.perpetuals()
      const atMs = clock.now()
      for (const [coin, { openInterest }] of found) memory.note(coin, { atMs, openInterest })
      reads++
      return found
    },
    moves: { withinMs: MOVES_WITHIN_MS, of: toldByVenue },
  })
  const fundings = createPolled({
    ...ports,
    everyMs: PAST_EVERY_MS,
    async fetch() {
      const settled = await Promise.all(COINS.map((coin) => venue.settledFundings(coin, PAST_DAYS)))
      const sinceMs = clock.now() - PAST_DAYS * DAY_MS
      reads++
      return mapCoins((coin) =>
        toEightHourSums((settled[COINS.indexOf(coin)] ?? []).filter(({ atMs }) => atMs >= sinceMs)),
      )
    },
  })
  const openInterests = createPolled({
    ...ports,
    everyMs: PAST_EVERY_MS,
    async fetch() {
      await Promise.all(
        COINS.map(async (coin) => {
          const rows = (await venue.pastOpenInterest?.(coin)) ?? []
          for (const row of rows) if (row.atMs <= clock.now()) memory.note(coin, row)
        }),
      )
      reads++
    },
  })
  const polls = venue.pastOpenInterest ? [now, fundings, openInterests] : [now, fundings]
  return {
    perpetual(coin) {
      const nowMs = clock.now()
      const last = now.last()
      const found = last?.value.get(coin)
      if (last && !found) return denied(SOURCES[name])
      const part = toPart(
        { source: SOURCES[name], ages: AGES, nowMs },
        last && found && { value: found, asOfMs: last.asOfMs },
        now.fault(),
      )
      if (part.value === undefined) return part
      return { ...part, value: toDetail(part.value, memory.dayAgo(coin, part.asOfMs)) }
    },
    pastFunding: (coin) => fundings.last()?.value[coin] ?? NONE,
    reads: () => reads,
    async start() {
      await Promise.all(polls.map((poll) => poll.start()))
    },
    stop() {
      for (const poll of polls) poll.stop()
    },
  }
}

/** Without what we work out from our own clock. */
const toldByVenue = (found: ReadonlyMap<Coin, VenuePerpetual>) =>
  [...found].map(([coin, each]) => [
    coin,
    each.markPrice,
    each.openInterest,
    each.fundingRate,
    each.volume24hUsd,
  ])

const NONE: ReadonlyMap<number, number> = new Map()

function toDetail(found: VenuePerpetual, dayAgo: number | undefined): PerpetualDetail {
  return {
    funding8h: toEightHours(found.fundingRate, found.intervalHours),
    intervalHours: found.intervalHours,
    nextFundingMs: found.nextFundingMs,
    openInterestUsd: found.openInterestUsd,
    markPrice: found.markPrice,
    volume24hUsd: found.volume24hUsd,
    openInterestChange24h: dayAgo === undefined || dayAgo === 0 ? undefined : found.openInterest / dayAgo - 1,
  }
}
