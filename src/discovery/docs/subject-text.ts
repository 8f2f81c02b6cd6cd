import type { Route } from '../../catalog/catalog.ts'
import type { Path } from '../../catalog/path.ts'
import type { Site } from '../../catalog/site.ts'
import { noticeOf } from '../about.ts'
import { blocks } from '../markdown-text.ts'
import { isOwn, referenceText } from '../reference-text.ts'

export const docsPath = (tag?: string): Path => (tag === undefined ? '/docs' : `/docs/${tag}`)

/** `prediction-markets` → `Prediction markets`. */
export function subjectTitle(tag: string): string {
  const words = tag.replaceAll('-', ' ')
  return words.length <= 3 ? words.toUpperCase() : words.charAt(0).toUpperCase() + words.slice(1)
}

/** What is asked for by its own address; aliases stand with it. */
export function routesOf({ catalog }: Site, tag: string): readonly Route[] {
  return catalog.routes.filter(
    (route) => isOwn(route) && route.endpoint.tag === tag && route.endpoint.kind !== 'document',
  )
}

export function subjectText(site: Site, tag: string): string {
  const about = site.catalog.groups.find((group) => group.tag === tag)?.about ?? ''
  return blocks(
    `# ${subjectTitle(tag)}`,
    about,
    noticeOf(site),
    ...routesOf(site, tag).flatMap((route) => referenceText(site, route)),
  )
}
