import { z } from 'zod'
import { defineDocument } from '../../catalog/endpoints/document.ts'
import type { Site } from '../../catalog/site.ts'
import { docsUrl, findPath, urlOf } from '../address.ts'
import { json } from '../json-document.ts'

const Link = z.object({ href: z.url(), type: z.string().min(1) })
const Linkset = z.object({
  linkset: z.array(
    z.object({
      anchor: z.url(),
      'service-desc': z.array(Link).min(1),
      'service-doc': z.array(Link).min(1),
      'service-meta': z.array(Link).min(1),
      status: z.array(Link),
    }),
  ),
})

/** RFC 9727. */
export const apiCatalog = defineDocument({
  id: 'document.api_catalog',
  path: '/.well-known/api-catalog',
  summary: 'API catalog',
  description:
    'Links from this API to its description, documentation, price list and status, as an RFC 9264 linkset.',
  renderings: [json({ mediaType: 'application/linkset+json', schema: Linkset, build: toLinkset })],
})

const OPENAPI_TYPE = 'application/vnd.oai.openapi+json;version=3.1'

function toLinkset(site: Site): z.input<typeof Linkset> {
  const found = (id: string) =>
    findPath(site.catalog, id) ? [{ href: urlOf(site, id), type: 'application/json' }] : []
  return {
    linkset: [
      {
        anchor: urlOf(site, 'document.directory'),
        'service-desc': [{ href: urlOf(site, 'document.openapi'), type: OPENAPI_TYPE }],
        'service-doc': [
          { href: docsUrl(site), type: findPath(site.catalog, 'document.docs') ? 'text/html' : 'text/plain' },
          { href: urlOf(site, 'document.quickstart_md'), type: 'text/markdown' },
        ],
        'service-meta': [
          ...found('document.pricing'),
          ...found('document.x402_manifest'),
          ...found('document.agent_card'),
        ],
        status: [...found('service.health'), ...found('service.status')],
      },
    ],
  }
}
