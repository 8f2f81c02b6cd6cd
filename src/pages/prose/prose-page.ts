import type { Prose } from '../../catalog/endpoints/document.ts'
import { markdownPath } from '../../catalog/path.ts'
import type { Site } from '../../catalog/site.ts'
import { noticeOf } from '../../discovery/about.ts'
import { pagesOf } from '../../discovery/markdown/pages.ts'
import { html } from '../frame/html.ts'
import type { Page } from '../frame/page.ts'
import { proseHtml } from './prose-html.ts'

/** A text to read, as a page. */
export function prosePage(site: Site, { path, describe, text }: Prose<Site>): Page {
  const markdown = withoutNotice(site, text(site))
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? path
  const main = html`<article class="prose">\n${proseHtml(markdown, createToHref(site))}</article>`
  return { path, title, description: describe(), main, markdownAt: markdownPath(path) }
}

/** Every page has the notice above it already. */
function withoutNotice(site: Site, markdown: string): string {
  const notice = noticeOf(site)
  return notice === '' ? markdown : markdown.replace(`${notice} `, '').replace(`${notice}\n`, '\n')
}

/** Texts name addresses in full and pages by their Markdown, for agents. People stay on this host, and on pages. */
export function createToHref(site: Site): (address: string) => string {
  const pages = new Map(pagesOf(site).map(({ path, markdownAt }): [string, string] => [markdownAt, path]))
  return (address) => {
    if (address === site.baseUrl) return '/'
    const own = address.startsWith(`${site.baseUrl}/`) ? address.slice(site.baseUrl.length) : address
    const [path = '', anchor] = own.split('#')
    const page = pages.get(path) ?? path
    return anchor === undefined ? page : `${page}#${anchor}`
  }
}
