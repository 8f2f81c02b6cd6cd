import type { z } from 'zod'
import type { Summary } from '../../products/record/summary.ts'
import { assetText } from '../frame/assets.ts'
import { dataBlock, type Html, html } from '../frame/html.ts'
import { codeBlock } from '../parts/code-block.ts'

type Reply = z.output<typeof Summary>

/** What the page runs to check an entry. Shown as it is served. */
const CHECKING = ['proof/verify-record.js', 'proof/entry-shape.js'] as const

export function verifyPart({ key_id, former_keys, verify }: Reply): Html {
  const keys = [{ id: key_id, until: null }, ...former_keys.map(({ key_id: id, until }) => ({ id, until }))]
  return html`<p>Your browser can check an entry by itself: that it is in the log unchanged, under a head that this service signed before the window opened; that the prediction shown is the one that was fixed; that the outcome follows from the prices. Press “Check” beside a window, or paste the JSON of an entry from anywhere.</p>
<p id="plain">This check runs in your browser and needs JavaScript. Without it, use the command below.</p>
<form id="verify" hidden>
<p class="field"><label for="entry">JSON of an entry, the reply of <code>${verify.entry}</code></label>
<textarea id="entry" spellcheck="false" autocomplete="off" rows="8"></textarea></p>
<p class="actions"><button type="submit">Check this entry</button></p>
</form>
<p id="checking" role="status"></p>
<div id="verdict" tabindex="-1"></div>
<ol id="checks" hidden></ol>
${dataBlock('keys', JSON.stringify(keys))}
<p>The whole record at once, without trusting this page either. The command is part of the source of this service: run it in a copy of that, after <code>npm ci</code>.</p>
${codeBlock(verify.command.replace(/<.*>/, ''))}
<details>
<summary>The code that checks</summary>
<p class="small">These are the files that this page runs, letter by letter. They send nothing anywhere.</p>
${CHECKING.map((name) => html`<h3>${name}</h3>\n${codeBlock(assetText(name), { id: name, isLong: true })}\n`)}
</details>`
}
