import { z } from 'zod'
import { defineDocument } from '../../catalog/endpoints/document.ts'
import type { Site } from '../../catalog/site.ts'
import { isPlayMoney } from '../../config/variables/variable.ts'
import { API_VERSION, NAME } from '../about.ts'
import { docsUrl, findPath, urlOf } from '../address.ts'
import { json } from '../json-document.ts'

const CARD_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'
const REGISTRY_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'
/** Both schemas allow 100 characters. */
const SHORT = 'Crypto prices, 5-minute signals, token and whale checks; paid per call in USDC through x402'

const Remote = z.object({ type: z.literal('streamable-http'), url: z.url() })
const Server = z.looseObject({
  $schema: z.url(),
  name: z.string().regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().max(100),
  description: z.string().min(1).max(100),
  version: z.string().min(1),
  websiteUrl: z.url(),
  remotes: z.array(Remote),
})

export const mcpServerCard = defineDocument({
  id: 'document.mcp_server_card',
  path: '/mcp/server-card',
  aliases: ['/.well-known/mcp/server-card.json'],
  summary: 'MCP server card',
  description: 'Who the MCP server is and where it answers, for clients that look before they connect.',
  renderings: [
    json({
      mediaType: 'application/mcp-server-card+json',
      schema: Server,
      build: (site) => serverOf(site, CARD_SCHEMA),
    }),
  ],
})

export const mcpRegistryEntry = defineDocument({
  id: 'document.mcp_registry_entry',
  path: '/mcp/server.json',
  summary: 'MCP registry entry',
  description: 'The server.json with which the operator lists the MCP server in a registry.',
  renderings: [json({ schema: Server, build: (site) => serverOf(site, REGISTRY_SCHEMA) })],
})

function serverOf(site: Site, $schema: string): z.input<typeof Server> {
  const url = findPath(site.catalog, 'mcp.call') && urlOf(site, 'mcp.call')
  return {
    $schema,
    name: `${reversed(new URL(site.baseUrl).hostname)}/${NAME.toLowerCase()}`,
    title: isPlayMoney(site.mode) ? `${NAME} (play money)` : NAME,
    description: SHORT,
    version: API_VERSION,
    websiteUrl: docsUrl(site),
    remotes: url === undefined ? [] : [{ type: 'streamable-http', url }],
  }
}

/** `signals.example.com` is `com.example.signals`. An address of the machine itself has no name to reverse. */
function reversed(hostname: string): string {
  const isName = /^[a-z0-9.-]*[a-z][a-z0-9.-]*$/i.test(hostname)
  return isName ? hostname.split('.').reverse().join('.') : 'local'
}
