import type { z } from 'zod'
import type { Site } from '../../catalog/site.ts'
import { countText } from '../../core/count-text.ts'
import { pathOf } from '../../discovery/address.ts'
import { IN_A_ROW, STARTING_MAX_MS, STOP_DAYS_MAX, UPTIME_DAYS } from '../../products/service/services.ts'
import { Status } from '../../products/service/status.ts'
import { momentHtml, percentText, spanText } from '../frame/figures.ts'
import { type Html, html } from '../frame/html.ts'
import { scrolling } from '../parts/scrolling.ts'
import { defineView } from '../view.ts'
import { headline } from './headline.ts'
import { incidentList, isOpen, pastIncidents } from './incident-list.ts'
import { type Now, partCard, type State } from './part-card.ts'
import { type Measured, measuredText } from './part-days.ts'

type Reply = z.output<typeof Status>

export const statusView = defineView('service.status', Status, (site, reply) => ({
  title: 'Status',
  description: `Uptime of ${UPTIME_DAYS} days as the service measured it, latency and data age of each part, and incidents.`,
  main: statusPage(site, reply),
  scripts: ['refresh.js', 'local-time.js'],
}))

const TONES = { ok: 'good', degraded: 'warn', down: 'bad' } as const
const SIGNS = { ok: '✓', degraded: '!', down: '✕' } as const

function statusPage(site: Site, reply: Reply): Html {
  const { uptime, parts, incidents, status } = reply
  const open = incidents.filter(isOpen)
  const groups = groupsOf(uptime.parts, parts)
  const cards = (list: readonly Measured[]) =>
    html`<ul class="halves parts">${list.map((each) => partCard(each, groups.now.get(each.name), uptime.from, stateOf(each, parts)))}</ul>`
  return html`<h1 class="headline" data-tone="${TONES[status]}"><span aria-hidden="true">${SIGNS[status]}</span> ${headline(reply)}</h1>
<p class="lead">The service looks at itself and at everything it depends on once a minute.
${uptime.measured_at === null ? 'The first measurement is made within a minute.' : html`Last measured ${momentHtml(uptime.measured_at)}.`}</p>
<p role="status" data-refresh-state></p>
${figures(reply)}
${
  open.length > 0 &&
  html`<h2>Ongoing incidents</h2>
${incidentList(open)}`
}
${
  uptime.parts.length > 0 &&
  html`<h2>Needed to serve</h2>
${legend}
${cards(groups.needed)}
<h2>The rest</h2>
<p>While one of these fails, what rests on it is not sold; all else is.</p>
${cards(groups.other)}`
}
<h2>Past incidents</h2>
${pastIncidents(incidents)}
<h2>How fresh prices are</h2>
${freshness(reply)}
${method(site)}`
}

function groupsOf(measured: readonly Measured[], parts: readonly Now[]) {
  const now = new Map(parts.map((part) => [part.name, part]))
  const isNeeded = ({ name }: Measured) => now.get(name)?.needed ?? true
  return { now, needed: measured.filter(isNeeded), other: measured.filter((each) => !isNeeded(each)) }
}

/** The service itself is as well as what it cannot do without. */
function stateOf({ name }: Measured, parts: readonly Now[]): State | undefined {
  const states = parts
    .filter((part) => (name === 'service' ? part.needed : part.name === name))
    .map(({ status }) => status)
  return name === 'service'
    ? ((['down', 'degraded'] as const).find((bad) => states.includes(bad)) ?? 'ok')
    : states[0]
}

const legend = html`<p class="small">One bar for each day. Full height: every check was good. Two thirds: degraded at times, still up. A third: down at times. A dot: nothing was measured.</p>`

function figures({ uptime, incidents, started_at, uptime_s, version }: Reply): Html {
  const service = uptime.parts.find(({ name }) => name === 'service')
  const open = incidents.filter(isOpen).length
  return html`<dl class="stats">
<div><dt>Uptime</dt><dd>${service && service.fraction !== null ? percentText(service.fraction) : '–'}<small>${service ? measuredText(service, uptime.from) : 'nothing measured yet'}</small></dd></div>
<div><dt>Ongoing incidents</dt><dd>${open}<small>${countText(incidents.length - open, 'earlier one')} below</small></dd></div>
<div><dt>This process runs for</dt><dd>${spanText(uptime_s * 1000)}<small>since ${momentHtml(started_at)}</small></dd></div>
<div><dt>Version</dt><dd>${version}</dd></div>
</dl>`
}

function freshness({ data }: Reply): Html {
  const age = (ms: number | null) => (ms === null ? 'none yet' : `${spanText(ms)} old`)
  const rows = data.map(
    ({ token, price_age_ms, oracle_age_ms }) =>
      html`<tr><th scope="row">${token}</th><td class="number">${age(price_age_ms)}</td><td class="number">${age(oracle_age_ms)}</td></tr>\n`,
  )
  const table = html`<table>
<thead><tr><th scope="col">Coin</th><th scope="col" class="number">Price</th><th scope="col" class="number">Oracle</th></tr></thead>
<tbody>${rows}</tbody>
</table>`
  return scrolling('Age of prices', table)
}

const method = ({ catalog }: Site): Html => html`<details id="method">
<summary>How this is measured</summary>
<p>Uptime is the share of checks that did not find a part down, rounded down. ${IN_A_ROW} bad checks in a row begin an incident and ${IN_A_ROW} good ones end it; a single bad check lowers the uptime and is no incident. A part that has not been well since the start counts neither as up nor as down for ${spanText(STARTING_MAX_MS)}: it may be warming up. While the service does not run nobody measures: the next start counts that time as downtime, up to ${STOP_DAYS_MAX} days, also where the stop was planned. A stop counts by the whole minutes that it missed, so one of less than a minute may leave no trace. Time in which its machine slept counts too. A source that nobody asked is not counted.</p>
<p>The same as JSON: <a href="${pathOf(catalog, 'service.status')}">the address of this page</a>, asked for without <code>text/html</code>. Asked now, with an error code for load balancers: <a href="${pathOf(catalog, 'service.health')}">${pathOf(catalog, 'service.health')}</a>.</p>
</details>`
