import { isPaid, type Route } from '../../catalog/catalog.ts'
import { defineDocument } from '../../catalog/endpoints/document.ts'
import type { Site } from '../../catalog/site.ts'
import { demoTerms, descriptionOf, EXAMPLES_ARE, NAME, PAYING_STEPS } from '../about.ts'
import { openRoutes, paidRoutes, urlOf } from '../address.ts'
import { text } from '../json-document.ts'
import { pageLines, pagesOf } from '../markdown/pages.ts'
import { blocks } from '../markdown-text.ts'
import { priceOf } from '../prices/price.ts'
import { isOwn, referenceText } from '../reference-text.ts'
import { canBeFollowed, resourceUrl } from '../sample-call.ts'

export const llms = defineDocument({
  id: 'document.llms',
  path: '/llms.txt',
  summary: 'The service in one page for language models',
  description: 'What is sold and given away here, with links, in the llms.txt form.',
  renderings: [text('text/plain', llmsText)],
})

export const llmsFull = defineDocument({
  id: 'document.llms_full',
  path: '/llms-full.txt',
  summary: 'The whole documentation in one text',
  description: 'Every endpoint with its params, price, a command to try it and an example reply.',
  renderings: [text('text/plain', llmsFullText)],
})

/** The llms.txt form: a title, a quote, sections of links. */
export function llmsText(site: Site): string {
  const { catalog } = site
  const others = openRoutes(catalog).filter((route) => !isDocument(route))
  return blocks(
    `# ${NAME}`,
    `> ${descriptionOf(site)}`,
    demoTerms(site).via,
    `Every endpoint with params and examples: ${urlOf(site, 'document.llms_full')}`,
    '## Pages',
    pageLines(site),
    ...section('Paid endpoints', paidRoutes(catalog), site),
    ...section('Free endpoints', others, site),
    ...section('Documents for programs', programDocuments(site), site),
  )
}

function section(title: string, routes: readonly Route[], site: Site): string[] {
  if (routes.length === 0) return []
  return [`## ${title}`, routes.map((route) => linkLine(site, route)).join('\n')]
}

function linkLine(site: Site, route: Route): string {
  const { endpoint, method, path } = route
  const price = isPaid(endpoint) ? ` (${priceOf(endpoint).human} per call)` : ''
  const link = canBeFollowed(route) ? resourceUrl(site, route) : urlOf(site, 'document.llms_full')
  return `- [${method} ${path}](${link}): ${endpoint.summary}${price}`
}

/** Redirects and pixels stand in the lists; there is no more to say of them. */
const isExplained = ({ endpoint }: Route) => endpoint.kind === 'product' || endpoint.kind === 'protocol'
const isDocument = ({ endpoint }: Route) => endpoint.kind === 'document' || endpoint.kind === 'document_set'

/** Pages stand by themselves, and a document's other addresses say the same: one link is enough. */
function programDocuments(site: Site): readonly Route[] {
  const pages = new Set(pagesOf(site).flatMap(({ path, markdownAt }): string[] => [path, markdownAt]))
  return openRoutes(site.catalog).filter(
    (route) => route.endpoint.kind === 'document' && isOwn(route) && !pages.has(route.path),
  )
}

function llmsFullText(site: Site): string {
  const { catalog } = site
  const products = [...paidRoutes(catalog), ...openRoutes(catalog)].filter(isOwn).filter(isExplained)
  return blocks(
    `# ${NAME}`,
    `> ${descriptionOf(site)}`,
    '## Paying',
    PAYING_STEPS.map((step, index) => `${index + 1}. ${step}`).join('\n'),
    demoTerms(site).via,
    EXAMPLES_ARE,
    ...products.flatMap((route) => referenceText(site, route)),
    '## Pages',
    pageLines(site),
    ...section('Documents for programs', programDocuments(site), site),
  )
}
