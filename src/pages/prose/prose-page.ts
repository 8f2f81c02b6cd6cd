import type { Prose, Rendering } from '../../catalog/endpoints/document.ts'
import type { Site } from '../../catalog/site.ts'
import { pagesOf } from '../../discovery/markdown/pages.ts'
import { html } from '../html.ts'
import { inShell, PAGE_POLICY } from '../shell.ts'
import { proseHtml } from './prose-html.ts'

const HTML = 'text/html'

/** What a browser shows of a text that others read as Markdown. */
export function prosePage(prose: Prose<Site>): Rendering<Site> {
  return {
    mediaType: HTML,
    contentSecurityPolicy: PAGE_POLICY,
    render(site) {
      const { path, describe, text } = prose
      const markdown = text(site)
      const title = /^# (.+)$/m.exec(markdown)?.[1] ?? path
      const body = html`<article class="prose">\n${proseHtml(markdown, createToHref(site))}</article>`
      return inShell(site, { path, title, description: describe() }, body)
    },
  }
}

/** Texts name addresses in full and pages by their Markdown, for agents. People stay on this host, and on pages. */
function createToHref(site: Site): (address: string) => string {
  const pages = new Map(pagesOf(site).map(({ path, markdownAt }): [string, string] => [markdownAt, path]))
  return (address) => {
    const own = address.startsWith(`${site.baseUrl}/`) ? address.slice(site.baseUrl.length) : address
    const [path = '', anchor] = own.split('#')
    const page = pages.get(path) ?? path
    return anchor === undefined ? page : `${page}#${anchor}`
  }
}
