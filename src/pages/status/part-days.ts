import type { z } from 'zod'
import { countText } from '../../core/count-text.ts'
import { DAY_MS } from '../../core/time/time.ts'
import { UPTIME_DAYS } from '../../products/service/services.ts'
import type { Status } from '../../products/service/status.ts'
import { type DayBar, type DayTone, dayBars } from '../charts/day-bars.ts'
import { numberText, percentText } from '../frame/figures.ts'
import { type Html, html } from '../frame/html.ts'
import { scrolling } from '../parts/scrolling.ts'
import { idOf, partName } from './part-names.ts'

export type Measured = z.output<typeof Status>['uptime']['parts'][number]
export type PartDays = { picture: Html; table: Html | false }

/** Days with trouble that have a row; the others are told as a number. */
const ROWS_MAX = 30

/** What a card says of the days, which changes with a measurement only. */
export function partDays(measured: Measured, from: string): PartDays {
  const name = partName(measured.name)
  const text = uptimeText(measured, from)
  return {
    picture: html`<p class="small"><strong>${text}</strong></p>
${dayBars(barsOf(measured, from), `${name}: ${text}. The days are listed below.`)}`,
    table: measured.measured_days > 0 && dayTable(measured, name, from),
  }
}

function uptimeText(measured: Measured, from: string): string {
  const { fraction } = measured
  return fraction === null ? NOTHING_MEASURED : `${percentText(fraction)} ${measuredText(measured, from)}`
}

const NOTHING_MEASURED = 'nothing measured yet'

/** Of what an uptime is the share, and since when: one check is one minute. */
export function measuredText({ checks, day_fractions }: Measured, from: string): string {
  const first = day_fractions.findIndex((fraction) => fraction !== null)
  return first < 0 ? NOTHING_MEASURED : `of ${countText(checks, 'check')} since ${dateAt(from, first)}`
}

const dateAt = (from: string, n: number) => new Date(Date.parse(from) + n * DAY_MS).toISOString().slice(0, 10)

/** Days before the first measurement are empty bars: the picture is always of as many days. */
function barsOf(measured: Measured, from: string): DayBar[] {
  const { day_fractions } = measured
  const shown = day_fractions.slice(-UPTIME_DAYS)
  const before = Array.from({ length: UPTIME_DAYS - shown.length }, (): DayBar => ({ tone: 'idle' }))
  const skipped = day_fractions.length - shown.length
  const bars = shown.map((_, n): DayBar => {
    const day = dayAt(measured, from, n + skipped)
    return isWhole(day) || day.tone === 'idle' ? { tone: day.tone } : { tone: day.tone, words: dayText(day) }
  })
  return [...before, ...bars]
}

type Day = { date: string; tone: DayTone; fraction: number; checks: number; degraded: number }

function dayAt({ day_fractions, day_checks, day_degraded }: Measured, from: string, n: number): Day {
  const fraction = day_fractions[n] ?? null
  const degraded = day_degraded[n] ?? 0
  const tone = fraction === null ? 'idle' : fraction < 1 ? 'bad' : degraded > 0 ? 'warn' : 'good'
  return { date: dateAt(from, n), tone, fraction: fraction ?? 0, checks: day_checks[n] ?? 0, degraded }
}

const isWhole = ({ tone }: Day) => tone === 'good'
const dayText = ({ date, fraction, degraded }: Day) =>
  `${date}: ${percentText(fraction)}${degraded > 0 ? `, degraded in ${countText(degraded, 'check')}` : ''}`

function dayTable(measured: Measured, name: string, from: string): Html {
  const days = measured.day_fractions.map((_, n) => dayAt(measured, from, n))
  const known = days.filter(({ tone }) => tone !== 'idle')
  const troubled = known.filter((day) => !isWhole(day)).reverse()
  const whole = known.length - troubled.length
  const unknown = days.length - known.length
  return html`<details id="days-${idOf(measured.name)}">
<summary>${name} day by day</summary>
${
  troubled.length > 0 &&
  scrolling(
    `${name}: days with trouble`,
    html`<table>
<thead><tr><th scope="col">Day</th><th scope="col" class="number">Up</th><th scope="col" class="number">Degraded</th><th scope="col" class="number">Checks</th></tr></thead>
<tbody>${troubled.slice(0, ROWS_MAX).map(dayRow)}</tbody>
</table>`,
  )
}
<p class="small">${troubled.length > ROWS_MAX && `Trouble on ${countText(troubled.length - ROWS_MAX, 'earlier day')} is not listed. `}${wholeText(whole, troubled.length)}${unknown > 0 && ` Nothing was measured on ${countText(unknown, 'day')} since ${from}.`}
${numberText(measured.checks)} checks since ${from}.</p>
</details>`
}

const dayRow = ({ date, fraction, degraded, checks }: Day): Html =>
  html`<tr><th scope="row">${date}</th><td class="number">${percentText(fraction)}</td><td class="number">${numberText(degraded)}</td><td class="number">${numberText(checks)}</td></tr>\n`

function wholeText(whole: number, troubled: number): string {
  if (whole === 0) return ''
  return `Every check was good on ${troubled > 0 ? 'the other ' : ''}${countText(whole, 'measured day')}.`
}
