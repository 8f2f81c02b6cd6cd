import type { z } from 'zod'
import { SECOND_MS } from '../../core/time/time.ts'
import { WINDOW_MIN, WINDOW_S } from '../../core/time/window.ts'
import type { Summary } from '../../products/record/summary.ts'
import { COMMIT_LEAD_MS } from '../../record/windows/windows.ts'
import { percent } from '../assets/formats.js'
import { type Html, html } from '../frame/html.ts'
import { scrolling } from '../parts/scrolling.ts'
import { score, windowTime } from './numbers.ts'

type Reply = z.output<typeof Summary>
type Listed = Reply['entries'][number]

/** Every window of the record, by pages that are links. */
export function windowsPart(reply: Reply, path: string): Html {
  const { entries, newer, older, last_window } = reply
  if (entries.length === 0)
    return last_window === null
      ? html`<p>No window is entered yet. The first one is entered ${COMMIT_LEAD_MS / SECOND_MS} s before it opens, at most ${WINDOW_MIN} minutes after the start.</p>`
      : html`<p>No window is this old. <a href="${addressOf(path, reply.coin, null)}">Newest windows</a></p>`
  const isNewest = newer !== null && last_window !== null && newer > last_window
  const pager = html`<nav class="actions" aria-label="Pages of windows">
${newer !== null && html`<a class="button quiet" rel="prev" href="${addressOf(path, reply.coin, isNewest ? null : newer)}">← Newer</a>`}
${older !== null && html`<a class="button quiet" rel="next" href="${addressOf(path, reply.coin, older)}">Older →</a>`}
</nav>`
  const table = html`<table id="windows">
<thead><tr><th scope="col">Window, UTC</th><th scope="col" class="number">We said UP</th><th scope="col">Came</th><th scope="col" class="number">Score</th></tr></thead>
<tbody>
${entries.map((entry) => row(entry, reply.verify.entry))}</tbody>
</table>`
  return html`${scrolling('Windows', table)}
<p class="small">The score is the Brier score of that window: 0 is best, a coin flip gets 0.25. A line leads to its entry as JSON.</p>
${pager}`
}

/** Keeps to the coin; without `before` the newest. */
export function addressOf(path: string, coin: Reply['coin'], before: number | null): string {
  const query = new URLSearchParams({
    ...(coin && { coin }),
    ...(before !== null && { before: String(before) }),
  })
  return `${path}${query.size > 0 ? `?${query}` : ''}#windows-title`
}

function row(entry: Listed, entryPath: string): Html {
  const { id, coin, window_start } = entry
  const at = new Date(window_start * 1000).toISOString()
  return html`<tr><th scope="row"><a href="${entryPath.replace('{id}', id)}">${coin} <time datetime="${at}">${windowTime(window_start)}</time></a></th>${said(entry)}</tr>
`
}

function said({ state, probability_up, abstain, outcome, brier, reason, window_start }: Listed): Html {
  if (state === 'committed')
    return html`<td colspan="3">Committed; shown after ${windowTime(window_start + WINDOW_S).slice(-5)}</td>`
  if (state === 'missed' || probability_up === null)
    return html`<td colspan="3">Missed: ${whyOf(reason)}</td>`
  return html`<td class="number">${percent(probability_up)}${abstain === true && html`<br><span class="small">no call</span>`}</td><td>${came(outcome, reason)}${abstain !== true && mark(probability_up, outcome)}</td><td class="number">${brier === null ? '–' : score(brier)}</td>`
}

/** Whether what we said came true. */
function mark(probabilityUp: number, outcome: Listed['outcome']): Html | false {
  if (outcome !== 'UP' && outcome !== 'DOWN') return false
  const isRight = (probabilityUp >= 0.5 ? 'UP' : 'DOWN') === outcome
  return isRight ? html` <span class="good">✓ right</span>` : html` <span class="bad">✗ wrong</span>`
}

function came(outcome: Listed['outcome'], reason: Listed['reason']): Html {
  if (outcome === 'UP') return html`<span class="up">▲ UP</span>`
  if (outcome === 'DOWN') return html`<span class="down">▼ DOWN</span>`
  return html`Unknown: ${whyOf(reason)}`
}

const REASONS: Record<NonNullable<Listed['reason']>, string> = {
  not_running: 'the service was not running',
  no_prediction: 'the model had too little data',
  bad_prediction: 'the model failed',
  store_unavailable: 'it could not be written',
  late: 'it was written too late',
  no_open_price: 'no opening price',
  no_close_price: 'no closing price',
  price_kinds_differ: 'prices of different kinds',
}

const whyOf = (reason: Listed['reason']): string => (reason === null ? 'no reason given' : REASONS[reason])
