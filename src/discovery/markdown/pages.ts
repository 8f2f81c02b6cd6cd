import type { Endpoint } from '../../catalog/catalog.ts'
import { fillPath, markdownPath, type Path } from '../../catalog/path.ts'
import type { Site } from '../../catalog/site.ts'

export type ListedPage = {
  title: string
  description: string
  path: Path
  markdownAt: Path
  /** HTML to everybody who wishes nothing else; the others are JSON then. */
  isHtml: boolean
}

/** All that is to be read here, for both sitemaps and llms.txt. What only programs read is none of it. */
export function pagesOf({ catalog }: Site): readonly ListedPage[] {
  return catalog.endpoints.flatMap(toPages)
}

function toPages(endpoint: Endpoint<Site>): ListedPage[] {
  if (endpoint.kind === 'document') {
    const { summary, description, path, markdownAt, renderings } = endpoint
    const isHtml = renderings[0].prose !== undefined
    return markdownAt === undefined ? [] : [{ title: summary, description, path, markdownAt, isHtml }]
  }
  if (endpoint.kind !== 'document_set') return []
  return Object.entries(endpoint.pages).map(([page, { prose }]) => {
    const path = fillPath(endpoint.path, { page }) as Path
    return { ...endpoint.about(page), path, markdownAt: markdownPath(path), isHtml: prose !== undefined }
  })
}

export function pageLines(site: Site): string {
  return pagesOf(site)
    .map(({ title, description, markdownAt }) => `- [${title}](${site.baseUrl}${markdownAt}): ${description}`)
    .join('\n')
}
