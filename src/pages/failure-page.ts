import type { Route } from '../catalog/catalog.ts'
import { fillPath } from '../catalog/path.ts'
import type { Site } from '../catalog/site.ts'
import { findPath } from '../discovery/address.ts'
import { docsPath } from '../discovery/docs/subject-text.ts'
import { anchorOf } from '../discovery/markdown/anchor.ts'
import { type Html, html } from './frame/html.ts'
import { sentence } from './frame/sentence.ts'
import { inShell } from './frame/shell.ts'

/** What went wrong, for a person. The detail may quote the visitor: it is shown as text. */
export type Failure = {
  status: number
  title: string
  detail: string
  hint?: string
  /** One line each, below. */
  faults?: readonly string[]
  requestId: string
  /** What was asked for; none where nothing is. */
  route?: Route | undefined
  /** What was probably meant. */
  nearest?: Route | undefined
}

export function failurePage(site: Site, failure: Failure): string {
  const { status, title, detail, faults = [], requestId, route } = failure
  const docs = sectionOf(site, route) ?? findPath(site.catalog, 'document.docs') ?? '/'
  const main = html`<section class="failure">
<p class="number-of" aria-hidden="true">${status}</p>
<h1>${title}</h1>
<p class="lead">${sentence(detail)}</p>
${nextStep(failure)}
${faults.length > 0 && html`<ul class="small">${faults.map((fault) => html`<li>${sentence(fault)}</li>`)}</ul>`}
<p class="actions"><a class="button" href="/">Home</a> <a class="button quiet" href="${docs}">${docs.includes('#') ? 'Docs of this endpoint' : 'Docs'}</a></p>
<p class="small">Request id <code>${requestId}</code></p>
</section>`
  return inShell(site, { path: '/', title: `${status}: ${title}`, description: title, main, isPrivate: true })
}

function nextStep({ status, hint, route, nearest }: Failure): Html | false {
  if (status === 404 && route?.endpoint.kind === 'document_set') return pageList(route.path, route.endpoint)
  if (status === 404 && !route) return wayOn(nearest)
  if (status === 422 && hint === undefined) return html`<p>The docs say what it may hold.</p>`
  return hint !== undefined && html`<p>${sentence(hint)}</p>`
}

function pageList(path: string, { pages }: { pages: object }): Html {
  const links = Object.keys(pages).map(
    (page) => html`<li><a href="${fillPath(path, { page })}">${page}</a></li>\n`,
  )
  return html`<p>These pages are here:</p>\n<ul>\n${links}</ul>`
}

/** A page can be followed as it stands; an address with a blank in it, or a POST, cannot. */
function wayOn(nearest: Route | undefined): Html {
  const isPage = nearest?.method === 'GET' && !nearest.path.includes('{')
  const meant = isPage && html` Perhaps you want <a href="${nearest.path}">${nearest.path}</a>.`
  return html`<p>Check the address for a slip, or start from the home page or the docs.${meant}</p>`
}

/** Where the reference describes what was asked for, also under another of its addresses. */
function sectionOf({ catalog }: Site, route: Route | undefined): string | undefined {
  if (route?.endpoint.kind !== 'product' || !findPath(catalog, 'document.docs_page')) return undefined
  const { tag, path } = route.endpoint
  return `${docsPath(tag)}#${anchorOf(`${route.method} ${path}`)}`
}
