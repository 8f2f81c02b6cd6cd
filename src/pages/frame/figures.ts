import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'
import { type Html, html } from './html.ts'

/** A share as percent with two digits, never rounded up: only all is 100 %. */
export function percentText(fraction: number): string {
  const hundredths = Math.floor(fraction * 10_000 + 1e-6)
  return `${hundredths / 100} %`
}

const UNITS = [
  [DAY_MS, 'd'],
  [HOUR_MS, 'h'],
  [MINUTE_MS, 'min'],
  [SECOND_MS, 's'],
] as const

/** A time span in its two largest units, `3 h 12 min`; below ten seconds with a digit, below one in milliseconds. */
export function spanText(ms: number): string {
  if (ms < SECOND_MS) return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`
  if (ms < 10 * SECOND_MS) return `${Math.floor(ms / 100) / 10} s`
  const at = UNITS.findIndex(([unitMs]) => ms >= unitMs)
  const [first, second] = [UNITS[at], UNITS[at + 1]]
  if (!first) return `${ms} ms`
  const whole = Math.floor(ms / first[0])
  const rest = second ? Math.floor((ms % first[0]) / second[0]) : 0
  return second && rest > 0 ? `${whole} ${first[1]} ${rest} ${second[1]}` : `${whole} ${first[1]}`
}

/** A moment in UTC; `local-time.js` adds the visitor's own time. */
export function momentHtml(iso: string): Html {
  return html`<time datetime="${iso}" data-local>${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`
}

/** Making one takes far longer than using it, so each is made once: digits are numbers of our own code. */
const formats = new Map<number, Intl.NumberFormat>()

export function numberText(value: number, digits = 0): string {
  const format = formats.get(digits) ?? new Intl.NumberFormat('en-US', { maximumFractionDigits: digits })
  formats.set(digits, format)
  return format.format(value)
}
