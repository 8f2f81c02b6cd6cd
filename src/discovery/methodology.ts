import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { defineDocument, defineDocumentSet, type Rendering } from '../catalog/endpoints/document.ts'
import type { Site } from '../catalog/site.ts'
import { METHOD_PAGES, type MethodPage, methodLink } from '../products/method-link.ts'
import { NAME } from './about.ts'
import { json, markdown } from './json-document.ts'
import { blocks } from './markdown-text.ts'

const FOLDER = new URL('../../docs/methodology/', import.meta.url)

const Methodology = z.object({
  description: z.string(),
  pages: z.array(z.object({ page: z.enum(METHOD_PAGES), title: z.string(), url: z.url() })),
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
  pages: Object.fromEntries(
    METHOD_PAGES.map((page): [string, Rendering<Site>] => [page, markdown(() => textOf(page))]),
  ),
})

const DESCRIPTION = `How ${NAME} makes its figures, scores and forecasts: formulas, weights with what they rest on, and what was checked.`

function toMethodology({ baseUrl }: Site): z.input<typeof Methodology> {
  const pages = METHOD_PAGES.map((page) => ({ page, title: titleOf(page), url: baseUrl + methodLink(page) }))
  return { description: DESCRIPTION, pages }
}

function methodologyText(site: Site): string {
  const { description, pages } = toMethodology(site)
  return blocks(
    `# ${NAME} methodology`,
    description,
    pages.map(({ title, url }) => `- [${title}](${url})`).join('\n'),
  )
}

/** The pages link to each other as files; a reader of ours finds them by their addresses. */
function textOf(page: MethodPage): string {
  const text = readFileSync(new URL(`${page}.md`, FOLDER), 'utf8')
  return text.replaceAll(/\]\(([\w-]+)\.md(#[\w-]+)?\)/g, '](/methodology/$1$2)')
}

function titleOf(page: MethodPage): string {
  return /^# (.+)$/m.exec(textOf(page))?.[1] ?? page
}
