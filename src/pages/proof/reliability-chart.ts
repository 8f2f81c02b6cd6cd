import type { z } from 'zod'
import type { Summary } from '../../products/record/summary.ts'
import { count, percent } from '../assets/formats.js'
import { linearScale, type Scale } from '../charts/linear-scale.ts'
import { type Html, html } from '../frame/html.ts'
import { scrolling } from '../parts/scrolling.ts'

type Bin = z.output<typeof Summary>['bins'][number]

const WIDTH = 380
const LEFT = 46
const RIGHT = WIDTH - 18
const TOP = 14
const BOTTOM = 264
/** Below the diagram: how many predictions each bin has. */
const COUNTS_TOP = 304
const COUNTS_BOTTOM = 352
const HEIGHT = 360
const STEP = 0.1

/** How often UP came of what we said: on the diagonal a probability means what it says. */
export function reliabilityChart(bins: readonly Bin[]): Html {
  const ends = domainOf(bins)
  const x = linearScale(ends, [LEFT, RIGHT])
  const y = linearScale(ends, [BOTTOM, TOP])
  const most = Math.max(...bins.map(({ count }) => count))
  const height = linearScale([0, most], [COUNTS_BOTTOM, COUNTS_TOP + 14])
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Reliability diagram: how often UP came against the probability that we gave. The table below has the same figures.">
${grid(ends, x, y)}
<line class="rule" x1="${x(ends[0])}" y1="${y(ends[0])}" x2="${x(ends[1])}" y2="${y(ends[1])}"/>
${bins.map((bin) => point(bin, x, y))}
<text x="${LEFT}" y="${COUNTS_TOP + 4}">Predictions in each bin, up to ${count(most)}</text>
${bins.map((bin) => bar(bin, x, height))}
<line class="axis" x1="${LEFT}" y1="${COUNTS_BOTTOM}" x2="${RIGHT}" y2="${COUNTS_BOTTOM}"/>
</svg>`
}

/** Around one half, wide enough for everything that is drawn. */
function domainOf(bins: readonly Bin[]): [number, number] {
  const reach = Math.max(
    ...bins.flatMap((bin) =>
      [bin.mean_probability, bin.up_rate_low, bin.up_rate_high].map((at) => Math.abs(at - 0.5)),
    ),
  )
  const half = Math.min(0.5, Math.ceil(Math.max(reach, STEP) / STEP) * STEP)
  return [0.5 - half, 0.5 + half]
}

function grid([from, to]: readonly [number, number], x: Scale, y: Scale): Html[] {
  const count = Math.round((to - from) / STEP)
  return Array.from({ length: count + 1 }, (_, n) => from + n * STEP).map(
    (at) => html`<line class="axis" x1="${LEFT}" y1="${y(at)}" x2="${RIGHT}" y2="${y(at)}"/>
<text x="${LEFT - 8}" y="${y(at) + 4}" text-anchor="end">${percent(at, 0)}</text>
<text x="${x(at)}" y="${BOTTOM + 18}" text-anchor="middle">${percent(at, 0)}</text>
`,
  )
}

function point({ mean_probability, up_rate, up_rate_low, up_rate_high }: Bin, x: Scale, y: Scale): Html {
  const at = x(mean_probability)
  return html`<line class="whisker" x1="${at}" y1="${y(up_rate_low)}" x2="${at}" y2="${y(up_rate_high)}"/>
<circle class="dot" cx="${at}" cy="${y(up_rate)}" r="5"/>
`
}

function bar({ mean_probability, count }: Bin, x: Scale, height: Scale): Html {
  const top = height(count)
  return html`<rect class="bar-fill" x="${x(mean_probability) - 4}" y="${top}" width="8" height="${Math.max(1, COUNTS_BOTTOM - top)}"/>
`
}

/** The same figures to read. */
export function reliabilityTable(bins: readonly Bin[]): Html {
  const table = html`<table>
<thead><tr><th scope="col">We said UP</th><th scope="col" class="number">Mean</th><th scope="col" class="number">UP came</th><th scope="col" class="number">95 % interval</th><th scope="col" class="number">Predictions</th></tr></thead>
<tbody>
${bins.map(
  (
    bin,
  ) => html`<tr><th scope="row">${percent(bin.lowest)} to ${percent(bin.highest)}</th><td class="number">${percent(bin.mean_probability)}</td><td class="number">${percent(bin.up_rate)}</td><td class="number">${percent(bin.up_rate_low)} to ${percent(bin.up_rate_high)}</td><td class="number">${count(bin.count)}</td></tr>
`,
)}</tbody>
</table>`
  return scrolling('How often UP came', table)
}
