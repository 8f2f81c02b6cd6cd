import { type Document, defineDocument, type Rendering } from '../../catalog/endpoints/document.ts'
import { markdownPath, type Path } from '../../catalog/path.ts'
import type { Site } from '../../catalog/site.ts'
import { MARKDOWN } from '../json-document.ts'
import { framed } from './frame.ts'

/** A page to read, and its Markdown under an address of its own: the same bytes as `Accept: text/markdown` brings. */
export function withTwin(document: Document<Site>): readonly [Document<Site>, Document<Site>] {
  const { id, path, summary, description, renderings } = document
  const markdownAt = markdownPath(path)
  const plain = renderings.find(({ mediaType }) => mediaType === MARKDOWN)
  if (!plain) throw new Error(`${id} has no Markdown to show at ${markdownAt}`)
  const markdown = pageRendering(path, () => description, plain)
  const [first, ...others] = renderings.map((rendering) =>
    rendering === plain ? markdown : pointingTo(markdownAt, rendering),
  )
  const page = { ...document, markdownAt, renderings: [first ?? markdown, ...others] as const }
  const twin = defineDocument<Site>({
    id: `${id}_md`,
    path: markdownAt,
    summary: `${summary} as Markdown`,
    description: `${description} As text for people and language models.`,
    renderings: [{ ...markdown, prose: undefined }],
  })
  return [page, twin]
}

/** Markdown as a page; wherever it is read, it says which address is its own. */
export function pageRendering(path: Path, describe: () => string, plain: Rendering<Site>): Rendering<Site> {
  return {
    ...plain,
    render: (site) => framed(site, { path, description: describe() }, plain.render(site)),
    links: ({ baseUrl }) => `<${baseUrl}${path}>; rel="canonical"`,
    prose: { path, describe, text: plain.render },
  }
}

function pointingTo(markdownAt: Path, rendering: Rendering<Site>): Rendering<Site> {
  return {
    ...rendering,
    links: ({ baseUrl }) => `<${baseUrl}${markdownAt}>; rel="alternate"; type="${MARKDOWN}"`,
  }
}
