import type { Site } from '../../catalog/site.ts'
import { findPath } from '../address.ts'
import { blocks } from '../markdown-text.ts'

export type PageAbout = { path: string; description: string }

/** A text as a page of its own: what it is, where it belongs and how fresh it is before it, the way onwards after it. */
export function framed(site: Site, about: PageAbout, text: string): string {
  const { title, rest } = splitTitle(text, about.path)
  const ways = waysOnwards(site)
  return blocks(
    frontmatter(site, about, title),
    `# ${title}`,
    indexLine(site),
    rest,
    ...(ways === '' ? [] : ['## Sitemap', ways]),
  )
}

/** All documents are made at the start, of what the service knows then. */
export function lastUpdated({ startedAt }: Site): string {
  return startedAt.slice(0, 'YYYY-MM-DD'.length)
}

/** A JSON string is a YAML string too, whatever stands in it. */
export function frontmatter(site: Site, { path, description }: PageAbout, title: string): string {
  return [
    '---',
    `title: ${JSON.stringify(title)}`,
    `description: ${JSON.stringify(description)}`,
    `canonical_url: ${JSON.stringify(site.baseUrl + path)}`,
    `last_updated: ${lastUpdated(site)}`,
    '---',
  ].join('\n')
}

/** Agents read the top of a page for certain, and its end perhaps. */
function indexLine(site: Site): string {
  const path = findPath(site.catalog, 'document.llms')
  return path === undefined ? '' : `> Index of everything here: ${site.baseUrl}${path}`
}

/** From a page to all others; also where a page is missing. */
export function waysOnwards(site: Site): string {
  return WAYS.flatMap(({ id, words }) => {
    const path = findPath(site.catalog, id)
    return path === undefined ? [] : [`- [${words}](${site.baseUrl}${path})`]
  }).join('\n')
}

const WAYS = [
  { id: 'document.sitemap_md', words: 'All pages' },
  { id: 'document.llms', words: 'All pages and endpoints' },
  { id: 'document.llms_full', words: 'Every endpoint with params, price and example' },
]

function splitTitle(text: string, path: string): { title: string; rest: string } {
  const [, title, rest] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? []
  if (title === undefined || rest === undefined)
    throw new Error(`the page ${path} does not begin with a title`)
  return { title, rest: rest.trim() }
}
