import { type Html, html } from '../frame/html.ts'
import { scrolling } from '../parts/scrolling.ts'
import type { Point } from './days-grouped.ts'
import { linearScale, type Scale } from './linear-scale.ts'
import { niceTicks } from './nice-ticks.ts'

export type TimeChart = {
  /** Of the figure on its page; begins with a letter. */
  id: string
  title: string
  /** What is to be seen, in a sentence. */
  summary: string
  points: readonly Point[]
  kind: 'bars' | 'line'
  /** Values are whole numbers. */
  isCount: boolean
  toText: (value: number) => string
}

const WIDTH = 360
const HEIGHT = 200
const LEFT = 46
const RIGHT = 10
const TOP = 12
const BOTTOM = 30
const GAP = 0.25
/** Fewer points make no line. */
const LINE_FROM = 4
/** From here on the axis has no room for all digits. */
const LONG = 10_000
const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact' })

/** Values over time, with the same as a table for who cannot see it. */
export function timeChart(chart: TimeChart): Html {
  const { id, title, summary, points, kind, isCount, toText } = chart
  const ticks = niceTicks(Math.max(0, ...points.map(({ value }) => value)), { isCount })
  const y = linearScale([0, ticks.at(-1) ?? 1], [HEIGHT - BOTTOM, TOP])
  const step = (WIDTH - LEFT - RIGHT) / Math.max(1, points.length)
  return html`<figure class="card" id="${id}">
<figcaption><h2>${title}</h2>${summary}</figcaption>
<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${title}</title><desc id="${id}-desc">${summary} The same as a table below.</desc>
${ticks.map((tick) => tickLine(y(tick), tick < LONG ? toText(tick) : SHORT.format(tick)))}
${kind === 'bars' || points.length < LINE_FROM ? barsOf(points, y, step) : lineOf(points, y, step)}
${edgeLabels(points)}
</svg>
${pointTable(chart)}
</figure>`
}

const tickLine = (y: number, text: string): Html =>
  html`<line class="axis" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y}" y2="${y}"/><text x="${LEFT - 8}" y="${y + 4}" text-anchor="end">${text}</text>\n`

function barsOf(points: readonly Point[], y: Scale, step: number): Html {
  const zero = y(0)
  const width = tenth(step * (1 - GAP))
  return html`${points.map(({ label, value }, n) => {
    const top = Math.min(y(value), zero)
    if (value <= 0) return false
    // What is there is seen, however little it is beside the rest.
    const height = Math.max(1.5, zero - top)
    return html`<rect class="bar-fill" x="${tenth(LEFT + step * (n + GAP / 2))}" y="${tenth(zero - height)}" width="${width}" height="${tenth(height)}"><title>${label}</title></rect>`
  })}`
}

function lineOf(points: readonly Point[], y: Scale, step: number): Html {
  const at = points.map(({ value }, n) => `${tenth(LEFT + step * (n + 0.5))} ${y(value)}`)
  const [first, last] = [tenth(LEFT + step / 2), tenth(LEFT + step * (points.length - 0.5))]
  return html`<path class="area" d="M${first} ${y(0)}L${at.join('L')}L${last} ${y(0)}z"/><path class="line" d="M${at.join('L')}"/>`
}

/** The first and the last point are named; the rest lies evenly between them. */
function edgeLabels(points: readonly Point[]): Html {
  const [first, last] = [points[0]?.label, points.at(-1)?.label]
  const baseline = HEIGHT - 10
  if (points.length < 2)
    return html`<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${baseline}" text-anchor="middle">${first}</text>`
  return html`<text x="${LEFT}" y="${baseline}">${first}</text><text x="${WIDTH - RIGHT}" y="${baseline}" text-anchor="end">${last}</text>`
}

function pointTable({ id, title, points, toText }: TimeChart): Html {
  const rows = points.map(
    ({ label, value }) =>
      html`<tr><th scope="row">${label}</th><td class="number">${toText(value)}</td></tr>\n`,
  )
  const table = html`<table>
<thead><tr><th scope="col">When (UTC)</th><th scope="col" class="number">${title}</th></tr></thead>
<tbody>${rows}</tbody></table>`
  return html`<details id="${id}-table"><summary>${title} as a table</summary>
${scrolling(title, table)}</details>`
}

const tenth = (value: number) => Math.round(value * 10) / 10
