import type { Endpoint } from '../../catalog/catalog.ts'
import { defineDocument } from '../../catalog/endpoints/document.ts'
import { fillPath } from '../../catalog/path.ts'
import type { Site } from '../../catalog/site.ts'
import { text } from '../json-document.ts'

export const sitemap = defineDocument({
  id: 'document.sitemap',
  path: '/sitemap.xml',
  summary: 'Sitemap',
  description: 'The addresses of all documents of this service, for search engines.',
  renderings: [text('application/xml', sitemapText)],
})

function sitemapText({ baseUrl, catalog }: Site): string {
  const urls = catalog.endpoints
    .flatMap(pathsOf)
    .map((path) => `  <url><loc>${escapeXml(baseUrl + path)}</loc></url>`)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n')
}

function pathsOf(endpoint: Endpoint): string[] {
  if (endpoint.kind === 'document') return [endpoint.path]
  if (endpoint.kind !== 'document_set') return []
  return Object.keys(endpoint.pages).map((page) => fillPath(endpoint.path, { page }))
}

function escapeXml(address: string): string {
  return address.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
