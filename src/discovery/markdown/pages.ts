import type { Endpoint } from '../../catalog/catalog.ts'
import { fillPath, markdownPath, type Path } from '../../catalog/path.ts'
import type { Site } from '../../catalog/site.ts'

export type ListedPage = { title: string; description: string; path: Path; markdownAt: Path }

/** All that is to be read here, for both sitemaps and llms.txt. What only programs read is none of it. */
export function pagesOf({ catalog }: Site): readonly ListedPage[] {
  return catalog.endpoints.flatMap(toPages)
}

function toPages(endpoint: Endpoint<Site>): ListedPage[] {
  if (endpoint.kind === 'document') {
    const { summary, description, path, markdownAt } = endpoint
    return markdownAt === undefined ? [] : [{ title: summary, description, path, markdownAt }]
  }
  if (endpoint.kind !== 'document_set') return []
  return Object.keys(endpoint.pages).map((page) => {
    const path = fillPath(endpoint.path, { page }) as Path
    return { ...endpoint.about(page), path, markdownAt: markdownPath(path) }
  })
}

export function pageLines(site: Site): string {
  return pagesOf(site)
    .map(({ title, description, markdownAt }) => `- [${title}](${site.baseUrl}${markdownAt}): ${description}`)
    .join('\n')
}
