import type { z } from 'zod'
import { UPTIME_DAYS } from '../../products/service/services.ts'
import type { Status } from '../../products/service/status.ts'
import { spanText } from '../frame/figures.ts'
import { type Html, html } from '../frame/html.ts'
import { sentence } from '../frame/sentence.ts'
import { createKeptDays } from './kept-days.ts'
import type { Measured } from './part-days.ts'
import { idOf, partName } from './part-names.ts'
import { stateWords } from './state-words.ts'

type Reply = z.output<typeof Status>
export type Now = Reply['parts'][number]

const STATES = {
  ok: { tone: 'good', sign: '✓', words: 'working' },
  degraded: { tone: 'warn', sign: '!', words: 'degraded' },
  down: { tone: 'bad', sign: '✕', words: 'down' },
  idle: { tone: 'idle', sign: '–', words: 'not asked' },
} as const

export type State = keyof typeof STATES

const daysOf = createKeptDays()

/** State now, ninety days, and each day that was not whole as a row to read. */
export function partCard(
  measured: Measured,
  now: Now | undefined,
  from: string,
  state: State | undefined = now?.status,
): Html {
  const name = partName(measured.name)
  const days = daysOf(measured, from)
  return html`<li class="card part">
<h3>${name} ${state && badge(state)}</h3>
${days.picture}
<p class="small ends"><span>${UPTIME_DAYS} days ago</span> <span>today</span></p>
<p class="small">${nowText(measured, now)}</p>
${now && trouble(now)}
${days.table}
</li>`
}

/** In words for people first; what the check itself said is for whoever mends it. */
function trouble(now: Now): Html | false {
  const words = stateWords(now)
  if (words === undefined) return false
  return html`<p class="small">${words}.</p>
<details id="found-${idOf(now.name)}" class="small"><summary>What the check of ${partName(now.name)} found</summary>
<p>${sentence(now.detail)}</p></details>`
}

/** A state in a word, with a sign and a colour. */
export function badge(state: State): Html {
  const { tone, sign, words } = STATES[state]
  return html`<span class="badge" data-tone="${tone}"><span aria-hidden="true">${sign}</span> ${words}</span>`
}

function nowText({ mean_latency_ms, max_latency_ms }: Measured, now: Now | undefined): string {
  const told = [
    now && now.age_ms !== null && `newest data ${spanText(now.age_ms)} ago`,
    now && now.latency_ms !== null && `latency ${spanText(now.latency_ms)}`,
    mean_latency_ms !== null && `mean ${spanText(mean_latency_ms)}`,
    max_latency_ms !== null && `slowest ${spanText(max_latency_ms)}`,
  ].filter((each) => typeof each === 'string')
  return sentence(told.join(', '))
}
