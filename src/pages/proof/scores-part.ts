import type { z } from 'zod'
import type { Summary } from '../../products/record/summary.ts'
import { type Baseline, type Estimate, INTERVAL_MIN_WINDOWS } from '../../record/scores/comparison.ts'
import { linearScale } from '../charts/linear-scale.ts'
import { type Html, html } from '../frame/html.ts'
import { scrolling } from '../parts/scrolling.ts'
import { interval, score, signed } from './numbers.ts'

type Reply = z.output<typeof Summary>

const NAMES: Record<Baseline['name'], string> = {
  coin_flip: 'Coin flip',
  base_rate: 'Base rate',
}

/** Our scores and those that others would have had on the same windows. */
export function scoresPart({ scores, baselines }: Reply): Html {
  if (!scores) return html`<p>There are no scores yet: the first window has to close.</p>`
  const shown = baselines.filter(({ difference: { brier } }) => brier.low !== null)
  const table = html`<table>
<thead><tr><th scope="col">Who</th><th scope="col" class="number">Brier score</th><th scope="col" class="number">Log score</th></tr></thead>
<tbody>
<tr><th scope="row">Ours</th>${ownScore(scores.brier)}${ownScore(scores.log_loss)}</tr>
${baselines.map(
  ({ name, scores: theirs }) =>
    html`<tr><th scope="row">${NAMES[name]}</th><td class="number">${score(theirs.brier)}</td><td class="number">${score(theirs.log_loss)}</td></tr>
`,
)}</tbody>
</table>`
  return html`${scrolling('Scores', table)}
<p class="small">Lower is better, 0 is perfect. The Brier score is the mean squared error of the probability, the log score the mean surprise. The coin flip always says 50 %; the base rate says how often UP came, which one knows only afterwards. Below our scores stand their 95 % intervals: the coins of one window move together, so they count as one draw.</p>
<h3>Our Brier score less theirs</h3>
${shown.length > 0 ? differenceChart(shown) : html`<p>Too few windows for an interval: it takes ${INTERVAL_MIN_WINDOWS}.</p>`}
<ul>
${baselines.map((each) => html`<li>${told(each)}</li>\n`)}</ul>
<p class="small">What the market paid for UP is no baseline here: the record does not hold its prices.</p>`
}

function ownScore(estimate: Estimate): Html {
  const range = interval(estimate, score)
  return html`<td class="number">${score(estimate.value)}${range !== '' && html`<br><span class="small">${range}</span>`}</td>`
}

function told({ name, difference: { brier } }: Baseline): Html {
  const range = interval(brier, signed)
  const verdict =
    brier.low === null || brier.high === null
      ? 'too few windows to say more'
      : brier.high < 0
        ? 'better'
        : brier.low > 0
          ? 'worse'
          : 'no difference that chance could not make'
  return html`Against the ${NAMES[name].toLowerCase()}: <b>${signed(brier.value)}</b>${range !== '' && ` (${range})`}, ${verdict}.`
}

const WIDTH = 380
const LEFT = 76
const RIGHT = WIDTH - 16
const ROW = 34

function differenceChart(baselines: readonly Baseline[]): Html {
  const edges = baselines.map(({ difference: { brier } }) =>
    Math.max(Math.abs(brier.low ?? 0), Math.abs(brier.high ?? 0)),
  )
  const reach = Math.max(...edges, 0.001) * 1.1
  const x = linearScale([-reach, reach], [LEFT, RIGHT])
  const bottom = 26 + baselines.length * ROW
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${bottom + 8}" role="img" aria-label="Our Brier score less that of each baseline, with 95 % intervals. The list below has the same figures.">
<text x="${LEFT}" y="14">better ←</text><text x="${RIGHT}" y="14" text-anchor="end">→ worse</text>
<line class="rule" x1="${x(0)}" y1="20" x2="${x(0)}" y2="${bottom}"/>
${baselines.map(({ name, difference: { brier } }, n) => {
  const y = 26 + (n + 0.5) * ROW
  return html`<text x="0" y="${y + 4}">${NAMES[name]}</text>
<line class="whisker" x1="${x(brier.low ?? 0)}" y1="${y}" x2="${x(brier.high ?? 0)}" y2="${y}"/>
<circle class="dot" cx="${x(brier.value)}" cy="${y}" r="5"/>
`
})}</svg>`
}
