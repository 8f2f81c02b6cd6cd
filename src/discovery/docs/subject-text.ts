import type { Route } from '../../catalog/catalog.ts'
import { MARKDOWN_ENDING, type Path } from '../../catalog/path.ts'
import type { Site } from '../../catalog/site.ts'
import { EXAMPLES_ARE, noticeOf } from '../about.ts'
import { blocks } from '../markdown-text.ts'
import { isOwn, referenceText } from '../reference-text.ts'

export const docsPath = (tag?: string): Path => (tag === undefined ? '/docs' : `/docs/${tag}`)

const ACRONYMS: ReadonlySet<string> = new Set(['mcp', 'a2a'])

/** `prediction-markets` → `Prediction markets`. */
export function subjectTitle(tag: string): string {
  const words = tag.replaceAll('-', ' ')
  return ACRONYMS.has(tag) ? words.toUpperCase() : words.charAt(0).toUpperCase() + words.slice(1)
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
    EXAMPLES_ARE,
    ...routesOf(site, tag).flatMap((route) => referenceText(site, route)),
    ...commonText(site),
  )
}

/** Where the rest of what a caller must know stands, at the end of every subject. */
export function commonText({ baseUrl }: Site): string[] {
  const docs = `${baseUrl}${docsPath()}${MARKDOWN_ENDING}`
  return [
    '## The same for every call',
    `[How to pay](${docs}#paying), [free calls](${docs}#free-calls), and [what to do when something fails](${docs}#when-something-fails).`,
  ]
}
