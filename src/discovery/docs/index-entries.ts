import { z } from 'zod'
import { isPaid, type Route } from '../../catalog/catalog.ts'
import { defineDocument } from '../../catalog/endpoints/document.ts'
import type { Site } from '../../catalog/site.ts'
import { json } from '../json-document.ts'
import { anchorOf } from '../markdown/anchor.ts'
import { pagesOf } from '../markdown/pages.ts'
import { priceOf } from '../prices/price.ts'
import { headingOf } from '../reference-text.ts'
import { paramsOf } from '../sample-call.ts'
import { fieldWords } from './field-words.ts'
import { sectionsOf } from './section-entries.ts'
import { docsPath, routesOf, subjectTitle } from './subject-text.ts'

const Entry = z.object({
  title: z.string().min(1).describe('An address with its method, or the name of a page'),
  path: z.string().min(1).startsWith('/').describe('Where it is explained'),
  summary: z.string().min(1),
  words: z.string().min(1).describe('What else it is found by: params, other addresses, its description'),
  fields: z.string().optional().describe('Words of the fields of its reply, each once'),
  operator: z.literal(true).optional().describe('Only for the operator'),
  cost: z.string().startsWith('$').optional().describe('Per call, of an endpoint that is paid'),
})
const DocsIndex = z.object({ count: z.int().min(1), entries: z.array(Entry).min(1) })
type Entry = z.input<typeof Entry>

export function docsIndexOf(tags: readonly string[]) {
  return defineDocument<Site>({
    id: 'document.docs_index',
    path: '/docs-index.json',
    summary: 'Everything that the docs explain, for a search',
    description: 'Each endpoint and page with its summary and the words that it is found by.',
    renderings: [json({ schema: DocsIndex, build: (site) => toIndex(site, tags) })],
  })
}

/** What is read from the first line to the last. */
const PROSE = ['document.quickstart', 'document.docs']

function toIndex(site: Site, tags: readonly string[]): z.input<typeof DocsIndex> {
  const endpoints = tags.flatMap((tag) => routesOf(site, tag).map((route) => endpointEntry(site, route, tag)))
  const pages = pagesOf(site).map(({ title, path, description }) => ({
    title,
    path,
    summary: description,
    words: path,
  }))
  const titles = tags.map(subjectTitle)
  // The list of a subject has nothing that its endpoints do not say themselves.
  const sections = PROSE.flatMap((id) => sectionsOf(site, id)).filter(
    ({ title }) => !titles.some((subject) => title.endsWith(`: ${subject}`)),
  )
  const entries = [...endpoints, ...sections, ...pages]
  return { count: entries.length, entries }
}

function endpointEntry({ catalog }: Site, route: Route, tag: string): Entry {
  const { endpoint } = route
  const others = catalog.routes.filter((each) => each.endpoint === endpoint).map(({ path }) => path)
  const fields = fieldWords(endpoint)
  const params = paramsOf(route).map(({ name, description }) => `${name} ${description}`)
  return {
    title: headingOf(route),
    path: `${docsPath(tag)}#${anchorOf(headingOf(route))}`,
    summary: endpoint.summary,
    words: [endpoint.description, ...others, ...params].join(' '),
    ...(fields !== '' && { fields }),
    ...(endpoint.access.kind === 'operator' && { operator: true as const }),
    ...(isPaid(endpoint) ? { cost: priceOf(endpoint).human } : {}),
  }
}
