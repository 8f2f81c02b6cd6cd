import type { Site } from '../../catalog/site.ts'
import { findPath } from '../../discovery/address.ts'
import { type Preview, previewOf } from '../assets/home/preview-words.js'
import { type Html, html } from '../frame/html.ts'

/** What we said of the last window that has closed. `home.js` keeps it current, and adds the prices. */
export function previewCard({ catalog, lastCall }: Site): Html | false {
  const path = findPath(catalog, 'bot.latest_signal')
  if (path === undefined) return false
  const call = lastCall?.()
  return html`<section class="card preview" aria-labelledby="preview-title" data-source="${path}">
<h2 id="preview-title">BTC, the last closed window</h2>
<p id="preview-note"${call && html` hidden`}>The signals of the last closed five minutes, with what came of them, are free as JSON: <a href="${path}">${path}</a></p>
${previewPart(call && previewOf(call))}
</section>`
}

function previewPart(shown: Preview | undefined): Html {
  const price = shown?.price
  return html`<div id="preview"${!shown && html` hidden`}>
<p class="direction"><span id="preview-direction" class="${shown?.tone}">${shown?.direction}</span></p>
<dl class="fields">
<dt>Window</dt><dd id="preview-window">${shown?.window}</dd>
<dt>Said before it opened</dt><dd id="preview-said">${shown?.said}</dd>
<dt>What happened</dt><dd id="preview-outcome">${shown?.outcome}</dd>
<dt id="preview-price-name"${price === undefined && html` hidden`}>Price</dt><dd id="preview-price"${price === undefined && html` hidden`}>${price}</dd>
</dl>
<p class="small">Delayed on purpose: the open window is what we sell. <a id="preview-record"${shown && html` href="${shown.record}"`}>Its entry in the track record</a></p>
</div>`
}
