import { z } from 'zod'
import { isPaid } from '../../catalog/catalog.ts'
import { defineDocument } from '../../catalog/endpoints/document.ts'
import type { Site } from '../../catalog/site.ts'
import { API_VERSION, descriptionOf, KEYWORDS, NAME } from '../about.ts'
import { docsUrl, findPath, paidRoutes, subjectUrl, urlOf } from '../address.ts'
import { json, markdown } from '../json-document.ts'
import { blocks, table } from '../markdown-text.ts'
import { priceOf, waysToPay } from '../prices/price.ts'
import { isOwn } from '../reference-text.ts'
import { sampleUrl } from '../sample-call.ts'

const Agents = z.object({
  count: z.int().min(1),
  agents: z.array(
    z.object({
      id: z.string().min(1),
      name: z.string().min(1),
      version: z.string().min(1),
      description: z.string().min(1),
      url: z.url(),
      agent_card: z.url(),
      openapi: z.url(),
      x402_manifest: z.url(),
      docs: z.url(),
      mcp: z.url().optional().describe('MCP over streamable HTTP'),
      a2a: z.url().optional().describe('A2A over JSON-RPC'),
      keywords: z.array(z.string().min(1)),
      networks: z.array(z.string().min(1)),
      featured: z.array(
        z.object({
          path: z.string().min(1),
          url: z.url(),
          summary: z.string().min(1),
          price_usdc: z.number().min(0),
          docs: z.url().describe('Reference of the subject it belongs to'),
        }),
      ),
      paid_endpoints: z.int().min(0).describe('How many paid endpoints there are, featured ones included'),
    }),
  ),
})

type Featured = z.input<typeof Agents>['agents'][number]['featured'][number]

export const agents = defineDocument({
  id: 'document.agents',
  path: '/agents',
  summary: 'Agent registry with featured paid endpoints',
  description: 'The agents that answer here, where each describes itself, and what each sells.',
  renderings: [json({ schema: Agents, build: toAgents }), markdown(agentsText)],
})

function toAgents(site: Site): z.input<typeof Agents> {
  const agent = {
    id: NAME.toLowerCase(),
    name: NAME,
    version: API_VERSION,
    description: descriptionOf(site),
    url: urlOf(site, 'document.directory'),
    agent_card: urlOf(site, 'document.agent_card'),
    openapi: urlOf(site, 'document.openapi'),
    x402_manifest: urlOf(site, 'document.x402_manifest'),
    docs: docsUrl(site),
    ...endpointsOf(site),
    keywords: KEYWORDS,
    networks: waysToPay(site).map(({ network }) => network),
    featured: featuredOf(site),
    paid_endpoints: site.catalog.paid.length,
  }
  return { count: 1, agents: [agent] }
}

/** The first of each subject, in the order of the catalog: enough to judge by, short enough to read. */
function featuredOf(site: Site): Featured[] {
  const firsts = new Map<string, Featured>()
  for (const route of paidRoutes(site.catalog).filter(isOwn)) {
    const { endpoint, path } = route
    if (!isPaid(endpoint) || firsts.has(endpoint.tag)) continue
    firsts.set(endpoint.tag, {
      path,
      url: sampleUrl(site, route),
      summary: endpoint.summary,
      price_usdc: priceOf(endpoint).usdc,
      docs: subjectUrl(site, endpoint.tag),
    })
  }
  return [...firsts.values()]
}

/** Where agents talk to this one. */
function endpointsOf({ baseUrl, catalog }: Site): { mcp?: string; a2a?: string } {
  const [mcp, a2a] = ['mcp.call', 'a2a.rpc'].map((id) => findPath(catalog, id))
  return { ...(mcp && { mcp: baseUrl + mcp }), ...(a2a && { a2a: baseUrl + a2a }) }
}

function agentsText(site: Site): string {
  const sections = toAgents(site).agents.flatMap((agent) => [
    `## ${agent.name} ${agent.version}`,
    agent.description,
    [
      `- Agent card: ${agent.agent_card}`,
      ...(agent.mcp ? [`- MCP: ${agent.mcp}`] : []),
      ...(agent.a2a ? [`- A2A: ${agent.a2a}`] : []),
      `- API description: ${agent.openapi}`,
      `- Payment manifest: ${agent.x402_manifest}`,
      `- Documentation: ${agent.docs}`,
      `- Networks: ${agent.networks.join(', ')}`,
    ].join('\n'),
    table(
      ['Endpoint', 'USDC per call', 'What'],
      // To the reference: who follows an address itself uses up a free call, or meets a 402.
      agent.featured.map(({ path, summary, price_usdc, docs }) => [
        `[\`${path}\`](${docs})`,
        `$${price_usdc}`,
        summary,
      ]),
    ),
    `These are the first of each subject. There are ${agent.paid_endpoints} paid endpoints: ${urlOf(site, 'document.paid')} lists them all.`,
  ])
  return blocks(`# Agents of ${NAME}`, ...sections)
}
