import { DAY_MS, HOUR_MS } from '../../core/time/time.ts'
import type { EtfDay, EtfHistory } from '../../upstreams/sosovalue/wire.ts'
import type { Aged } from '../../upstreams/source.ts'
import type { Ages } from '../part.ts'

/** Days that are handed on. */
const DAYS_SHOWN = 10
const WEEK_DAYS = 5
/** New York closes at 21:00 UTC in winter and 20:00 in summer; the day is over by the later one. */
const CLOSE_MS = 21 * HOUR_MS
/** Funds report in the evening; by this time of the next day (UTC) most have. */
const REPORTED_AFTER_MS = DAY_MS + 6 * HOUR_MS

/** Over a weekend with a holiday the last day is four days old, and that is all there is. */
export const ETF_AGES: Ages = { freshMs: 4 * DAY_MS + 12 * HOUR_MS, hardMs: 14 * DAY_MS }

/** Money into (above 0) and out of the American spot funds of a coin. */
export type EtfFlows = {
  /** Newest first. */
  days: readonly EtfDay[]
  lastDayMs: number
  /** Sum of the last five days that were reported; undefined where there are fewer. */
  net5dUsd: number | undefined
  /** Days of the same direction in a row, the last one included; negative: of money that left. */
  streak: number
  /** Weekdays that should have been reported and were not: holidays, or a source that lags. */
  weekdaysMissing: number
}

/** As of the close of the last day that it has; undefined without any. A day that had not closed is left out. */
export function toEtfFlows({ value, asOfMs }: Aged<EtfHistory>, nowMs: number): Aged<EtfFlows> | undefined {
  const days = value.days.filter(({ dayMs }) => dayMs + CLOSE_MS <= asOfMs)
  const last = days[0]
  if (!last) return undefined
  const week = days.slice(0, WEEK_DAYS)
  return {
    asOfMs: last.dayMs + CLOSE_MS,
    value: {
      days: days.slice(0, DAYS_SHOWN),
      lastDayMs: last.dayMs,
      net5dUsd: week.length === WEEK_DAYS ? week.reduce((sum, day) => sum + day.netInflowUsd, 0) : undefined,
      streak: streakOf(days),
      weekdaysMissing: weekdaysBetween(last.dayMs, nowMs - REPORTED_AFTER_MS),
    },
  }
}

function streakOf(days: readonly EtfDay[]): number {
  const sign = Math.sign(days[0]?.netInflowUsd ?? 0)
  const end = days.findIndex(({ netInflowUsd }) => Math.sign(netInflowUsd) !== sign)
  return sign === 0 ? 0 : sign * (end === -1 ? days.length : end)
}

/** Farther back nothing is counted: it is missing by then. */
const MOST_DAYS_COUNTED = 30

/** Weekdays after the first day, up to and with the one that the second time is in. */
function weekdaysBetween(firstMs: number, untilMs: number): number {
  let count = 0
  for (let day = 1; day <= MOST_DAYS_COUNTED && firstMs + day * DAY_MS <= untilMs; day++) {
    const weekday = new Date(firstMs + day * DAY_MS).getUTCDay()
    if (weekday !== 0 && weekday !== 6) count++
  }
  return count
}
