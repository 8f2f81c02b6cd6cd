import type { Prose } from '../../catalog/endpoints/document.ts'
import type { Site } from '../../catalog/site.ts'
import { findPath } from '../../discovery/address.ts'
import { type Html, html } from '../frame/html.ts'
import type { Page } from '../frame/page.ts'
import { prosePage } from '../prose/prose-page.ts'

/** The list of everything, and a search that its script fills. */
export function docsPage(site: Site, prose: Prose<Site>): Page {
  const page = prosePage(site, prose)
  return { ...page, main: html`${searchBox(site)}${page.main}`, scripts: ['docs/search.js'] }
}

/** Shown where scripts run, in its place from the start: a box that comes later would push the page down. */
export function searchBox({ catalog }: Site): Html | false {
  const index = findPath(catalog, 'document.docs_index')
  if (index === undefined) return false
  return html`<search class="search" data-index="${index}">
<label for="search">Search the docs</label>
<input id="search" type="search" autocomplete="off" spellcheck="false" aria-controls="found" placeholder="price, whales, refund, MCP …">
<p id="found-count" role="status"></p>
<ol id="found"></ol>
</search>
`
}
