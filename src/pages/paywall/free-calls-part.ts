import type { Site } from '../../catalog/site.ts'
import { untilMidnightS } from '../../core/time/until-midnight.ts'
import { type Html, html } from '../frame/html.ts'

type Counted = { freeCallsLeft: number; freeAt: string; nowMs: number }

/** The link works without script too: it brings the JSON itself. */
export function freeCallsPart({ demoCallsPerDay }: Site, { freeCallsLeft, freeAt, nowMs }: Counted): Html {
  if (demoCallsPerDay === 0) return html`<p>There are no free calls here: every call is paid.</p>`
  if (freeCallsLeft === 0)
    return html`<p>No free call is left for you today. There are ${demoCallsPerDay} a day, over all products together. They come back at 00:00 UTC, in ${toWords(untilMidnightS(nowMs))}.</p>`
  return html`<h3>For free</h3>
<p>Free calls that you have left today: <b id="free-left">${freeCallsLeft}</b> of ${demoCallsPerDay}, over all products together.</p>
<p class="actions"><a id="use-free" class="button" href="${freeAt}" rel="nofollow">Use a free call</a></p>`
}

/** `5 h 12 min`, never less than a minute. */
function toWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`
}
