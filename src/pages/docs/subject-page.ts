import type { Route } from '../../catalog/catalog.ts'
import type { Prose } from '../../catalog/endpoints/document.ts'
import { markdownPath } from '../../catalog/path.ts'
import type { Site } from '../../catalog/site.ts'
import { commonText, docsPath, routesOf, subjectTitle } from '../../discovery/docs/subject-text.ts'
import { anchorOf } from '../../discovery/markdown/anchor.ts'
import { blocks } from '../../discovery/markdown-text.ts'
import { headingOf, referenceText } from '../../discovery/reference-text.ts'
import { type Html, html } from '../frame/html.ts'
import type { Page } from '../frame/page.ts'
import { proseHtml } from '../prose/prose-html.ts'
import { createToHref } from '../prose/prose-page.ts'
import { searchBox } from './docs-page.ts'
import { tryForm } from './try-form.ts'

/** Every endpoint of a subject: its reference, and a form to call it. */
export function subjectPage(site: Site, { path, describe }: Prose<Site>): Page {
  const tag = path.slice(docsPath().length + 1)
  const title = subjectTitle(tag)
  const routes = routesOf(site, tag)
  const about = site.catalog.groups.find((group) => group.tag === tag)?.about ?? ''
  const toHref = createToHref(site)
  const main = html`${searchBox(site)}<article class="prose">
<p class="small"><a href="${docsPath()}">All subjects</a></p>
<h1>${title}</h1>
<p>${about}</p>
${contents(routes)}
${routes.map((route) => html`${proseHtml(blocks(...referenceText(site, route)), toHref)}${tryForm(site, route)}`)}
${proseHtml(blocks(...commonText(site)), toHref)}
</article>`
  return {
    path,
    title,
    description: describe(),
    main,
    scripts: ['docs/search.js', 'docs/try-it.js'],
    markdownAt: markdownPath(path),
  }
}

function contents(routes: readonly Route[]): Html | false {
  if (routes.length < 2) return false
  return html`<nav aria-label="On this page"><ul class="contents">
${routes.map((route) => html`<li><a href="#${anchorOf(headingOf(route))}"><code>${headingOf(route)}</code></a> ${route.endpoint.summary}</li>\n`)}</ul></nav>`
}
