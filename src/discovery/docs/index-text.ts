import { isPaid, type Route } from '../../catalog/catalog.ts'
import { MARKDOWN_ENDING } from '../../catalog/path.ts'
import type { Site } from '../../catalog/site.ts'
import { FAILURE_CODES, hintOf, statusOf, titleOf } from '../../core/service-error.ts'
import { demoTerms, descriptionOf, EXAMPLES_ARE, NAME, PAYING_STEPS, POLICIES } from '../about.ts'
import { urlOf } from '../address.ts'
import { anchorOf } from '../markdown/anchor.ts'
import { blocks, table } from '../markdown-text.ts'
import { priceOf } from '../prices/price.ts'
import { headingOf } from '../reference-text.ts'
import { docsPath, routesOf, subjectTitle } from './subject-text.ts'

/** Everything in one list, and what is the same for all of it. */
export function docsIndexText(site: Site, tags: readonly string[]): string {
  return blocks(
    `# ${NAME} API reference`,
    `> ${descriptionOf(site)}`,
    `New here: [quickstart](${urlOf(site, 'document.quickstart')}). For programs: [OpenAPI](${urlOf(site, 'document.openapi')}), [everything in one text](${urlOf(site, 'document.llms_full')}).`,
    EXAMPLES_ARE,
    '## Paying',
    PAYING_STEPS.map((step, index) => `${index + 1}. ${step}`).join('\n'),
    '## Free calls',
    demoTerms(site).via,
    ...tags.flatMap((tag) => subjectList(site, tag)),
    '## When something fails',
    'A failure is JSON with `code`, which is stable, `detail`, `hint` and `request_id` (RFC 9457); wrong params are 422 with `detail`. Nothing that failed is charged.',
    `Refunds: ${POLICIES.refund_policy.refunds}. ${POLICIES.refund_policy.why}`,
    table(
      ['Status', 'Code', 'Meaning', 'What to do'],
      FAILURE_CODES.map((code) => [String(statusOf(code)), `\`${code}\``, titleOf(code), hintOf(code)]),
    ),
  )
}

function subjectList(site: Site, tag: string): string[] {
  const address = `${site.baseUrl}${docsPath(tag)}${MARKDOWN_ENDING}`
  const rows = routesOf(site, tag).map((route) => [
    `[\`${headingOf(route)}\`](${address}#${anchorOf(headingOf(route))})`,
    route.endpoint.summary,
    costOf(route),
  ])
  return [`## ${subjectTitle(tag)}`, table(['Endpoint', 'What it brings', 'Per call'], rows)]
}

function costOf({ endpoint }: Route): string {
  if (isPaid(endpoint)) return priceOf(endpoint).human
  return endpoint.access.kind === 'operator' ? 'operator' : 'free'
}
