import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'

/** A share from 0 to 1 in percent, for people: `12.3 %`. */
export const percent = (share: number): string => `${Number((share * 100).toPrecision(3))} %`

/** An amount of dollars for people: `$12,300`. */
export const dollars = (amount: number): string =>
  `$${amount.toLocaleString('en-US', { maximumFractionDigits: amount < 100 ? 2 : 0 })}`

/** How long, for people: in the largest unit of which there are at least two. */
export function duration(ms: number): string {
  const [unit, unitMs] = UNITS.find(([, length]) => ms >= 2 * length) ?? ['minutes', MINUTE_MS]
  return `${Math.max(0, Math.floor(ms / unitMs))} ${unit}`
}

const UNITS: readonly (readonly [string, number])[] = [
  ['days', DAY_MS],
  ['hours', HOUR_MS],
]
