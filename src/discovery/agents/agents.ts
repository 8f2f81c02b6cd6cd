import { z } from 'zod'
import { defineDocument } from '../../catalog/endpoints/document.ts'
import type { Site } from '../../catalog/site.ts'
import { API_VERSION, descriptionOf, KEYWORDS, NAME } from '../about.ts'
import { docsUrl, findPath, urlOf } from '../address.ts'
import { json, markdown } from '../json-document.ts'
import { blocks, table } from '../markdown-text.ts'
import { paidEndpoints } from '../prices/paid.ts'
import { waysToPay } from '../prices/price.ts'

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
        }),
      ),
    }),
  ),
})

export const agents = defineDocument({
  id: 'document.agents',
  path: '/agents',
  summary: 'Agent registry with featured paid endpoints',
  description: 'The agents that answer here, where each describes itself, and what each sells.',
  renderings: [json({ schema: Agents, build: toAgents }), markdown(agentsText)],
})

/** The first of the catalog, in its own order: enough to judge by, short enough to read. */
const FEATURED = 10

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
    featured: paidEndpoints(site)
      .slice(0, FEATURED)
      .map(({ path, url, summary, price_usdc }) => ({ path, url, summary, price_usdc })),
  }
  return { count: 1, agents: [agent] }
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
      // No links: who follows one uses up a free call, or meets a 402.
      agent.featured.map(({ path, summary, price_usdc }) => [`\`${path}\``, `$${price_usdc}`, summary]),
    ),
  ])
  return blocks(`# Agents of ${NAME}`, ...sections)
}
