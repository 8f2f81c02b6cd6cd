import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../core/time/time.ts'
import type { Ends } from './subject.ts'

/** One time that a subject is traded: until when, since when, and how its date is written. */
export type Occurrence = { endsMs: number; listedMs: number; slug: string; text: string }

const DAYS_LISTED = 3
const DAYS_AHEAD = 2

/** Those that are listed at a time: of a daily subject today's and tomorrow's, of the others one. */
export function occurrencesAt(ends: Ends, nowMs: number): readonly Occurrence[] {
  if (ends.every === 'day') {
    const todayMs = Math.floor(nowMs / DAY_MS) * DAY_MS
    return Array.from({ length: DAYS_AHEAD }, (_, i) => onDay(todayMs + i * DAY_MS, ends.atHour))
  }
  const now = new Date(nowMs)
  const year = now.getUTCFullYear()
  if (ends.every === 'year') {
    const endsMs = Date.UTC(year + ends.ahead + 1, 0, 1) - MINUTE_MS
    const text = String(year + ends.ahead)
    return [{ endsMs, listedMs: endsMs - (ends.ahead + 1) * 400 * DAY_MS, slug: text, text }]
  }
  const month = now.getUTCMonth() + ends.ahead
  const endsMs = Date.UTC(year, month + 1, 1) - MINUTE_MS
  const text = monthText.format(endsMs)
  const slug = text.toLowerCase().replace(' ', '-')
  return [{ endsMs, listedMs: endsMs - (ends.ahead + 1) * 45 * DAY_MS, slug, text }]
}

/** The one of this name, if it was listed at any time until now. */
export function findOccurrence(ends: Ends, slug: string, nowMs: number): Occurrence | undefined {
  const date = new Date(`${slug.replaceAll('-', ' ')} UTC`)
  if (Number.isNaN(date.getTime())) return undefined
  const firstMs = firstListedMs(ends, date)
  return firstMs > nowMs ? undefined : occurrencesAt(ends, firstMs).find((each) => each.slug === slug)
}

function firstListedMs(ends: Ends, date: Date): number {
  if (ends.every === 'day') return date.getTime() - (DAYS_AHEAD - 1) * DAY_MS
  const year = date.getUTCFullYear()
  return ends.every === 'year' ? Date.UTC(year - ends.ahead) : Date.UTC(year, date.getUTCMonth() - ends.ahead)
}

const monthText = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' })
const dayText = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', day: 'numeric' })

function onDay(midnightMs: number, atHour: number): Occurrence {
  const endsMs = midnightMs + atHour * HOUR_MS
  const text = dayText.format(midnightMs)
  const year = new Date(midnightMs).getUTCFullYear()
  const slug = `${text.toLowerCase().replace(' ', '-')}-${year}`
  return { endsMs, listedMs: endsMs - DAYS_LISTED * DAY_MS, slug, text }
}
