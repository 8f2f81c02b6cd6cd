const MILLION = 1_000_000
const BILLION = 1_000_000_000

/** `1,240`, and `1.24 million` where that is shorter. */
export function inNumber(value: number): string {
  if (value >= BILLION) return `${plain(value / BILLION)} billion`
  return value >= MILLION ? `${plain(value / MILLION)} million` : plain(value)
}

/** `$0.00000123` is written out: a price has no exponent. */
const plain = (value: number): string =>
  value.toLocaleString('en-US', { maximumSignificantDigits: 3, useGrouping: true })

export const inDollars = (value: number): string => `$${inNumber(value)}`
export const inPercent = (value: number): string => `${inNumber(value)}%`

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
/** For the middle of a sentence. */
export const small = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly string[]): string {
  const last = items.at(-1) ?? ''
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`
}
