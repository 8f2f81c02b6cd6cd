import type { z } from 'zod'
import { COINS } from '../../core/coin.ts'
import { HOUR_MS, SECOND_MS } from '../../core/time/time.ts'
import { WINDOW_S } from '../../core/time/window.ts'
import { pathOf } from '../../discovery/address.ts'
import { recordSummary, Summary } from '../../products/record/summary.ts'
import { BIN_MIN_COUNT } from '../../record/scores/calibration.ts'
import { count, percent } from '../assets/formats.js'
import { type Html, html } from '../frame/html.ts'
import { defineView } from '../view.ts'
import { interval, score, windowTime } from './numbers.ts'
import { reliabilityChart, reliabilityTable } from './reliability-chart.ts'
import { scoresPart } from './scores-part.ts'
import { verifyPart } from './verify-part.ts'
import { addressOf, windowsPart } from './windows-part.ts'

type Reply = z.output<typeof Summary>

/** The track record for people: what it shows, every window of it, and a way to check each. */
export const proofView = defineView(recordSummary.id, Summary, (site, reply) => {
  const path = pathOf(site.catalog, recordSummary.id)
  const command = `./tollbook verify-record ${site.baseUrl}`
  return {
    title: 'Track record',
    description:
      'Every prediction we made, fixed before its window and shown after it, with scores and proofs.',
    scripts: ['proof/proof.js'],
    main: html`<h1>Track record${reply.coin !== null && ` of ${reply.coin}`}</h1>
<p class="lead">${reply.finding.words}${hoursLeft(reply)}</p>
<p>Every prediction is fixed before its five-minute window opens and shown after it has closed, whether it was right or wrong; a window that we missed is listed as missed. Nothing can be changed afterwards without everybody being able to notice. <a href="${reply.method}">How the record works</a></p>
${coinFilter(reply, path)}
${stats(reply)}
<div class="halves">
<section class="card" aria-labelledby="reliability-title"><h2 id="reliability-title">Does 60 % come true 60 times in 100?</h2>
${reliabilityPart(reply)}</section>
<section class="card" aria-labelledby="scores-title"><h2 id="scores-title">Scores</h2>
${scoresPart(reply)}</section>
</div>
<h2 id="windows-title">Every window${reply.coin !== null && ` of ${reply.coin}`}</h2>
${windowsPart(reply, path)}
<div class="halves">
<section class="card" aria-labelledby="verify-title"><h2 id="verify-title">Check it yourself</h2>
${verifyPart({ ...reply, verify: { ...reply.verify, command } })}</section>
</div>
${headPart(reply)}`,
  }
})

const WINDOWS_PER_HOUR = HOUR_MS / SECOND_MS / WINDOW_S

function hoursLeft({ finding: { windows_missing } }: Reply): string {
  if (windows_missing === 0) return ''
  const hours = Math.ceil(windows_missing / WINDOWS_PER_HOUR)
  return ` That takes about ${hours === 1 ? 'an hour' : `${hours} hours`}.`
}

function coinFilter({ coin }: Reply, path: string): Html {
  const choices = [null, ...COINS].map(
    (each) =>
      html`<a class="button quiet" href="${addressOf(path, each, null).split('#')[0] ?? path}"${each === coin && html` aria-current="true"`}>${each ?? 'All coins'}</a>\n`,
  )
  return html`<nav class="actions" aria-label="Coin">
${choices}</nav>`
}

function stats({ figures, scores, finding, first_window }: Reply): Html {
  const { scored, entries, missed, ece, ece_noise_floor: floor } = figures
  return html`<dl class="stats">
<div><dt>Scored predictions</dt><dd>${count(scored)}<small>in ${count(finding.windows)} windows${first_window !== null && `, since ${windowTime(first_window).slice(0, 10)}`}</small></dd></div>
<div><dt>Brier score</dt><dd>${scores ? score(scores.brier.value) : '–'}<small>${(scores && interval(scores.brier, score)) || 'no interval yet'}; coin flip 0.25</small></dd></div>
<div><dt>Calibration error</dt><dd>${ece === null ? '–' : percent(ece)}<small>${floor === null ? `from ${BIN_MIN_COUNT} predictions on` : `chance alone makes ${percent(floor)}`}</small></dd></div>
<div><dt>Missed</dt><dd>${count(missed)}<small>of ${count(entries)} entries</small></dd></div>
</dl>`
}

function reliabilityPart({ bins }: Reply): Html {
  if (bins.length === 0)
    return html`<p>There is nothing to draw yet: it takes ${BIN_MIN_COUNT} scored predictions for the first bin.</p>`
  return html`<figure>${reliabilityChart(bins)}
<figcaption>Across: the probability for UP that we gave. Up: how often UP came. On the dashed line both are the same; the whiskers are 95 % intervals.</figcaption></figure>
<details><summary>The same as a table</summary>
${reliabilityTable(bins)}</details>`
}

function headPart({ head, newest_anchor: anchor, verify }: Reply): Html {
  if (!head) return html`<p class="small">The log is empty: there is no signed head yet.</p>`
  return html`<div class="halves">
<section class="card" aria-labelledby="head-title"><h2 id="head-title">Signed and anchored</h2>
<dl class="fields">
<dt>Lines in the log</dt><dd>${count(head.tree_size)}</dd>
<dt>Signed</dt><dd><time datetime="${head.timestamp}">${head.timestamp}</time></dd>
<dt>Root</dt><dd><code>${head.root_hash}</code></dd>
<dt>Key</dt><dd><code>${head.key_id}</code></dd>
<dt>On a chain</dt><dd>${anchor ? html`${count(anchor.tree_size)} lines at <time datetime="${anchor.anchored_at}">${anchor.anchored_at}</time>, ${anchor.network}, transaction <code>${anchor.tx}</code>` : 'not yet; once a day where a chain is set up'}</dd>
</dl>
<p><a href="${verify.log}">The whole log as JSON</a></p></section>
</div>`
}
