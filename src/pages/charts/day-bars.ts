import { type Html, html } from '../frame/html.ts'

export type DayTone = 'good' | 'warn' | 'bad' | 'idle'
/** `words` are shown to who points at a day; a day without any is one among many of its kind. */
export type DayBar = { tone: DayTone; words?: string }

const STEP = 10
const WIDTH = 7
const HEIGHT = 32
/** Each state has its own height, so that it is told without colour too. */
const HEIGHTS: Readonly<Record<DayTone, number>> = { good: 32, warn: 21, bad: 12, idle: 4 }

/** One bar for each day, oldest first. What it shows must stand beside it as text too. */
export function dayBars(days: readonly DayBar[], label: string): Html {
  const placed = days.map((day, n) => ({ ...day, x: n * STEP }))
  const tones = Object.keys(HEIGHTS) as DayTone[]
  return html`<svg class="days" viewBox="0 0 ${Math.max(1, days.length) * STEP} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">
${tones.map((tone) => together(tone, placed))}${placed.map(
  ({ words, tone, x }) =>
    words !== undefined &&
    html`<path data-tone="${tone}" d="${barAt(x, tone)}"><title>${words}</title></path>`,
)}
</svg>`
}

/** All days of a kind that have no words of their own are one shape: ninety elements for each part would weigh more than the page. */
function together(tone: DayTone, placed: readonly (DayBar & { x: number })[]): Html | false {
  const same = placed.filter((day) => day.tone === tone && day.words === undefined)
  return (
    same.length > 0 && html`<path data-tone="${tone}" d="${same.map(({ x }) => barAt(x, tone)).join('')}"/>`
  )
}

const barAt = (x: number, tone: DayTone) =>
  `M${x} ${HEIGHT - HEIGHTS[tone]}h${WIDTH}v${HEIGHTS[tone]}h-${WIDTH}z`
