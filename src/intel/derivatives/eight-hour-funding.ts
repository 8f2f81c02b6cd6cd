import { HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { SettledFunding } from '../../upstreams/perpetuals/perpetual-venue.ts'

/** Venues settle some hundred milliseconds late. */
const LATE_MS = 5 * MINUTE_MS

/** A rate for one interval as one for eight hours. */
export const toEightHours = (rate: number, intervalHours: number): number => (rate * 8) / intervalHours

/**
 * What was paid in each span of eight hours that ends at 0, 8 or 16 o'clock UTC, by the number of the span. A span in
 * which a settlement is missing, or one came out of turn, is left out.
 */
export function toEightHourSums(rows: readonly SettledFunding[]): ReadonlyMap<number, number> {
  const hours = [...new Map(rows.map((row) => [hourOf(row.atMs), row.rate]))].sort(([a], [b]) => a - b)
  const gaps = hours.slice(1).map(([hour], index) => hour - (hours[index]?.[0] ?? hour))
  const intervalHours = Math.min(8, usualOf(gaps) ?? 8)
  const spans = new Map<number, { sum: number; count: number }>()
  for (const [hour, rate] of hours) {
    const number = Math.ceil(hour / 8)
    const span = spans.get(number) ?? { sum: 0, count: 0 }
    spans.set(number, { sum: span.sum + rate, count: span.count + 1 })
  }
  const isWhole = ({ count }: { count: number }) => count * intervalHours === 8
  return new Map(
    [...spans].filter(([, span]) => isWhole(span)).map(([number, { sum }]) => [number, sum] as const),
  )
}

/** The median, the lower of two: one settlement out of turn does not make another interval. */
const usualOf = (gaps: readonly number[]) => gaps.toSorted((a, b) => a - b)[Math.floor((gaps.length - 1) / 2)]

/** The whole hour that a settlement belongs to, be it a little late. */
const hourOf = (atMs: number) => Math.floor((atMs + LATE_MS) / HOUR_MS)
