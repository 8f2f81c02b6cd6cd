import { DAY_MS } from '../../core/time/time.ts'

export type Point = { label: string; value: number }

/** More bars than this cannot be told apart on a telephone. */
const BARS_MAX = 92
const WEEK_DAYS = 7

/**
 * Every day from the first to the last with its value, 0 where there is none; weeks where there would be too many days,
 * months where there would be too many weeks. Dates are `2026-01-05`.
 */
export function daysGrouped(values: ReadonlyMap<string, number>, from: string, to: string): Point[] {
  const [first, last] = [dayOf(from), dayOf(to)]
  const days = Math.max(1, last - first + 1)
  const keyOf = days <= BARS_MAX ? dateOf : days <= BARS_MAX * WEEK_DAYS ? weekOf : monthOf
  const groups = new Map<string, number>()
  for (let day = first; day < first + days; day++) groups.set(keyOf(day), groups.get(keyOf(day)) ?? 0)
  for (const [date, value] of values) {
    const key = keyOf(dayOf(date))
    if (groups.has(key)) groups.set(key, (groups.get(key) ?? 0) + value)
  }
  return [...groups].map(([label, value]) => ({ label, value }))
}

const dayOf = (date: string) => Math.floor(Date.parse(date) / DAY_MS)
const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)
/** The day number 4 was a Monday. */
const weekOf = (day: number) => `week of ${dateOf(day - ((((day - 4) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS))}`
const monthOf = (day: number) => dateOf(day).slice(0, 7)
