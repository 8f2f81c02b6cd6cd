import { isPaid, type Route } from '../../catalog/catalog.ts'
import type { Site } from '../../catalog/site.ts'
import { findPath } from '../../discovery/address.ts'
import { anchorOf } from '../../discovery/markdown/anchor.ts'
import { priceOf } from '../../discovery/prices/price.ts'
import { headingOf } from '../../discovery/reference-text.ts'
import { type Param, paramsOf, placeholdersOf, shownSampleOf } from '../../discovery/sample-call.ts'
import { type Html, html } from '../frame/html.ts'

/** A call from the page itself. Hidden until there is a script that makes it. What needs a key or a sign-in has none. */
export function tryForm(site: Site, route: Route): Html | false {
  const { endpoint, method, path } = route
  const isOpen = endpoint.access.kind === 'free' || endpoint.access.kind === 'paid'
  if (!isOpen || endpoint.kind !== 'product') return false
  const key = anchorOf(headingOf(route))
  const params = paramsOf(route)
  const receipts = findPath(site.catalog, 'payments.receipt')
  const playPath = isPaid(endpoint) ? findPath(site.catalog, 'sandbox.payment') : undefined
  const inBody = params.filter((param) => param.in === 'body')
  const named = params.filter((param) => param.in !== 'body')
  return html`<details class="try">
<summary>Try ${headingOf(route)}</summary>
<form data-method="${method}" data-path="${path}"${playPath !== undefined && html` data-play="${playPath}"`}${isPaid(endpoint) && html` data-unpaid="${unpaidWords(site)}" data-price="${priceOf(endpoint).human}"`}${receipts !== undefined && html` data-receipts="${receipts}"`} hidden>
${named.map((param) => field(key, param, route))}
${inBody.length > 0 && bodyField(key, inBody, shownSampleOf(route))}
<p class="actions"><button type="submit">${isPaid(endpoint) ? callWords(site, priceOf(endpoint).human) : 'Call it'}</button></p>
<p role="status" class="called"></p>
<p class="progress small"></p>
<div class="paying actions" hidden></div>
<div class="reply" hidden></div>
</form>
<noscript><p>Calling it from here needs JavaScript; the command above works everywhere.</p></noscript>
</details>
`
}

const callWords = ({ demoCallsPerDay }: Site, price: string) =>
  demoCallsPerDay > 0 ? `Call it (free while you have free calls, then ${price})` : `Call it (${price})`

const unpaidWords = ({ demoCallsPerDay }: Site) =>
  demoCallsPerDay > 0 ? 'Your free calls of today are used up.' : 'Every call of this is paid.'

function field(key: string, param: Param, route: Route): Html {
  const id = `${key}-${param.name}`
  const value = String(shownSampleOf(route)[param.name] ?? '')
  const isFilled = param.required && placeholdersOf(route)?.values[param.name] === undefined
  return html`<div class="field">
<label for="${id}">${param.name}${!param.required && ' (may be left out)'}</label>
${choicesOf(param) ? choice(id, param, value) : line(id, param, value, isFilled)}
<span id="${id}-about" class="small">${param.description}</span>
</div>
`
}

const line = (id: string, param: Param, value: string, isFilled: boolean): Html =>
  html`<input id="${id}" name="${param.name}" data-in="${param.in}" value="${isFilled ? value : ''}"${!isFilled && value !== '' && html` placeholder="${value}"`}${param.required && html` required`} autocomplete="off" spellcheck="false" aria-describedby="${id}-about">`

/** All values that there are, where that is a short list. */
function choicesOf({ schema }: Param): readonly string[] | undefined {
  return Array.isArray(schema.enum) ? schema.enum.map(String).filter(Boolean) : undefined
}

/** What may be left out begins with nothing chosen. */
const choice = (id: string, param: Param, value: string): Html =>
  html`<select id="${id}" name="${param.name}" data-in="${param.in}" aria-describedby="${id}-about">
${!param.required && html`<option value=""></option>`}${choicesOf(param)?.map((each) => html`<option${param.required && each === value && html` selected`}>${each}</option>`)}
</select>`

function bodyField(key: string, params: readonly Param[], sample: Record<string, unknown>): Html {
  const body = Object.fromEntries(
    params.flatMap(({ name }) => (sample[name] === undefined ? [] : [[name, sample[name]]])),
  )
  return html`<div class="field">
<label for="${key}-body">Body (JSON)</label>
<textarea id="${key}-body" data-in="body" spellcheck="false">${JSON.stringify(body, null, 2)}</textarea>
</div>
`
}
