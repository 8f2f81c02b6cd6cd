import type { z } from 'zod'
import { countText } from '../../core/count-text.ts'
import { IN_A_ROW } from '../../products/service/services.ts'
import type { Status } from '../../products/service/status.ts'
import { momentHtml, spanText } from '../frame/figures.ts'
import { type Html, html } from '../frame/html.ts'
import { sentence } from '../frame/sentence.ts'
import { badge } from './part-card.ts'
import { partName } from './part-names.ts'

type Incident = z.output<typeof Status>['incidents'][number]

/** So many are shown at once; the others are behind a click. */
const AT_ONCE = 8

export const isOpen = ({ ended_at }: Incident): boolean => ended_at === null

export function pastIncidents(incidents: readonly Incident[]): Html {
  const past = incidents.filter((each) => !isOpen(each))
  if (past.length === 0)
    return html`<p class="card">There is none. ${IN_A_ROW} bad checks of the same part in a row begin one.</p>`
  const [shown, rest] = [past.slice(0, AT_ONCE), past.slice(AT_ONCE)]
  return html`${incidentList(shown)}
${
  rest.length > 0 &&
  html`<details id="earlier-incidents"><summary>${countText(rest.length, 'earlier incident')}</summary>
${incidentList(rest)}</details>`
}`
}

export const incidentList = (incidents: readonly Incident[]): Html =>
  html`<ol class="incidents">${incidents.map(incidentItem)}</ol>`

function incidentItem({ part, began_at, ended_at, worst, planned, cause }: Incident): Html {
  const lastedMs = ended_at === null ? undefined : Date.parse(ended_at) - Date.parse(began_at)
  return html`<li class="card">
<h3>${partName(part)} ${badge(worst)} ${planned && html`<span class="badge">planned stop</span>`}${lastedMs === undefined && html` <span class="badge" data-tone="bad">ongoing</span>`}</h3>
<p>${momentHtml(began_at)} to ${ended_at === null ? 'now' : momentHtml(ended_at)}${lastedMs !== undefined && `, ${spanText(lastedMs)}`}</p>
<p class="small">${sentence(cause)}</p>
</li>
`
}
