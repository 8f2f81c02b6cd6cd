import type { Site } from '../../catalog/site.ts'
import { anchorOf } from '../markdown/anchor.ts'

/** A section of a page to read, as a search finds it. */
export type SectionEntry = { title: string; path: string; summary: string; words: string }

const SUMMARY_CHARS = 140

/** The sections of a document that browsers see as prose; none where the catalog lacks it. */
export function sectionsOf(site: Site, id: string): SectionEntry[] {
  const document = site.catalog.endpoints.find((endpoint) => endpoint.id === id)
  if (document?.kind !== 'document') return []
  const prose = document.renderings.find((rendering) => rendering.prose)?.prose
  if (!prose) return []
  const [, ...sections] = prose.text(site).split(/^## /m)
  return sections.map((section) => {
    const [heading = '', ...lines] = section.split('\n')
    const words = plain(lines.join(' '))
    return {
      title: `${document.summary}: ${plain(heading)}`,
      path: `${document.path}#${anchorOf(heading)}`,
      summary: words.length > SUMMARY_CHARS ? `${words.slice(0, SUMMARY_CHARS).trimEnd()}…` : words,
      words,
    }
  })
}

/** Without links, fences and other signs of Markdown. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/\]\([^)]*\)/g, '')
    .replaceAll(/```\w*|[[\]`*>|]|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
