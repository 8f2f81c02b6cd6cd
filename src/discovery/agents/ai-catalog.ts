import { z } from 'zod'
import { defineDocument } from '../../catalog/endpoints/document.ts'
import type { Site } from '../../catalog/site.ts'
import { descriptionOf, NAME } from '../about.ts'
import { docsUrl, findPath, urlOf } from '../address.ts'
import { json } from '../json-document.ts'

/** What may be listed, by id in the catalog; what the catalog lacks is left out. */
const LISTED = [
  { id: 'document.mcp_server_card', kind: 'mcp', type: 'application/mcp-server-card+json' },
  { id: 'document.agent_card', kind: 'agent', type: 'application/a2a-agent-card+json' },
  { id: 'document.openapi', kind: 'api', type: 'application/openapi+json' },
] as const

const AiCatalog = z.object({
  specVersion: z.literal('1.0'),
  host: z.object({ displayName: z.literal(NAME), documentationUrl: z.url() }),
  entries: z
    .array(
      z.object({
        identifier: z.string().min(1).startsWith('urn:air:'),
        displayName: z.literal(NAME),
        description: z.string().min(1),
        type: z.enum(LISTED.map(({ type }) => type)),
        url: z.url(),
      }),
    )
    .max(LISTED.length),
})

export const aiCatalog = defineDocument({
  id: 'document.ai_catalog',
  path: '/.well-known/ai-catalog.json',
  summary: 'AI catalog',
  description:
    'The machine-readable descriptions of this host that agents look for, each with its type and address.',
  renderings: [json({ mediaType: 'application/ai-catalog+json', schema: AiCatalog, build: toAiCatalog })],
})

function toAiCatalog(site: Site): z.input<typeof AiCatalog> {
  const { hostname } = new URL(site.baseUrl)
  return {
    specVersion: '1.0',
    host: { displayName: NAME, documentationUrl: docsUrl(site) },
    entries: LISTED.filter(({ id }) => findPath(site.catalog, id)).map(({ id, kind, type }) => ({
      identifier: `urn:air:${hostname}:${kind}:${NAME.toLowerCase()}`,
      displayName: NAME,
      description: descriptionOf(site),
      type,
      url: urlOf(site, id),
    })),
  }
}
