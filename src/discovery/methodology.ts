import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { defineDocument, defineDocumentSet, type Rendering } from '../catalog/endpoints/document.ts'
import { MARKDOWN_ENDING } from '../catalog/path.ts'
import type { Site } from '../catalog/site.ts'
import { METHOD_PAGES, type MethodPage, methodLink } from '../products/method-link.ts'
import { NAME } from './about.ts'
import { findPath } from './address.ts'
import { json, markdown } from './json-document.ts'
import { pageRendering } from './markdown/twin.ts'
import { blocks } from './markdown-text.ts'

const FOLDER = new URL('../../docs/methodology/', import.meta.url)

const Methodology = z.object({
  description: z.string().min(1),
  pages: z
    .array(z.object({ page: z.enum(METHOD_PAGES), title: z.string().min(1), url: z.url() }))
    .max(METHOD_PAGES.length),
})

export const methodology = defineDocument({
  id: 'document.methodology',
  path: '/methodology',
  summary: 'How figures, scores and forecasts are made',
  description:
    'Lists the pages with the formulas behind what is sold: inputs, weights, bounds and what was checked.',
  renderings: [json({ schema: Methodology, build: toMethodology }), markdown(methodologyText)],
})

export const methodologyPages = defineDocumentSet({
  id: 'document.methodology_page',
  path: '/methodology/{page}',
  summary: 'One page on how figures are made, as Markdown',
  description:
    'The formula of a score or figure, each weight with what it rests on, the edges, and what was checked. The field method of a reply links here.',
  params: z.object({ page: z.enum(METHOD_PAGES).describe('Name of the page') }),
  sample: { page: METHOD_PAGES[0] },
  pages: Object.fromEntries(METHOD_PAGES.map((page): [string, Rendering<Site>] => [page, renderingOf(page)])),
  about: (page) => aboutOf(page as MethodPage),
})

const DESCRIPTION = `How ${NAME} makes its figures, scores and forecasts: formulas, weights with what they rest on, and what was checked.`

function toMethodology({ baseUrl }: Site): z.input<typeof Methodology> {
  const pages = METHOD_PAGES.map((page) => ({
    page,
    title: aboutOf(page).title,
    url: baseUrl + methodLink(page),
  }))
  return { description: DESCRIPTION, pages }
}

function methodologyText(site: Site): string {
  const { description, pages } = toMethodology(site)
  return blocks(
    `# ${NAME} methodology`,
    description,
    pages.map(({ title, url }) => `- [${title}](${url}${MARKDOWN_ENDING})`).join('\n'),
    ...trackRecord(site),
  )
}

function trackRecord({ baseUrl, catalog }: Site): string[] {
  const path = findPath(catalog, 'record.summary')
  return path === undefined
    ? []
    : [`What the forecasts were worth so far: [the track record](${baseUrl}${path}).`]
}

function renderingOf(page: MethodPage): Rendering<Site> {
  const plain = markdown((site) => withAddresses(site, textOf(page)))
  return pageRendering(methodLink(page), () => aboutOf(page).description, plain)
}

function textOf(page: MethodPage): string {
  return readFileSync(new URL(`${page}.md`, FOLDER), 'utf8')
}

/** The pages link to each other as files; a reader of ours finds them by their addresses, wherever the text went. */
function withAddresses({ baseUrl }: Site, text: string): string {
  const address = `${baseUrl}/methodology/$1${MARKDOWN_ENDING}$2`
  return text.replaceAll(/\]\(([\w-]+)\.md(#[\w-]+)?\)/g, `](${address})`)
}

/** The heading of a page and the first sentence below it. */
function aboutOf(page: MethodPage): { title: string; description: string } {
  const [, title, description] = /^# (.+)\n\n([\s\S]+?\.)\s/.exec(textOf(page)) ?? []
  if (title === undefined || description === undefined)
    throw new Error(`docs/methodology/${page}.md needs a title and a sentence below it`)
  const plain = description.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
  return { title, description: plain.replaceAll(/\s+/g, ' ') }
}
