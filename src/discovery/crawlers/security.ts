import { defineDocument } from '../../catalog/endpoints/document.ts'
import type { Site } from '../../catalog/site.ts'
import { DAY_MS } from '../../core/time/time.ts'
import { urlOf } from '../address.ts'
import { text } from '../json-document.ts'

/** RFC 9116 asks for less than a year; a service that is not restarted for so long needs a look anyway. */
const VALID_DAYS = 364

export const security = defineDocument({
  id: 'document.security',
  path: '/.well-known/security.txt',
  summary: 'Whom to tell about a weakness',
  description: 'Contact for reports of security problems, as in RFC 9116.',
  renderings: [text('text/plain', securityText)],
})

function securityText(site: Site): string {
  const expires = new Date(Date.parse(site.startedAt) + VALID_DAYS * DAY_MS)
  return [
    `Contact: mailto:${site.contactEmail}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${urlOf(site, 'document.security')}`,
    '',
  ].join('\n')
}
