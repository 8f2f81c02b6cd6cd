import { defineDocument } from '../../catalog/endpoints/document.ts'
import type { Site } from '../../catalog/site.ts'
import { urlOf } from '../address.ts'
import { text } from '../json-document.ts'

/** Named as well as `*`: some of these read only a group that names them, and graders look for them. */
const CRAWLERS = [
  '*',
  'GPTBot',
  'OAI-SearchBot',
  'ChatGPT-User',
  'ClaudeBot',
  'Claude-User',
  'Claude-SearchBot',
  'PerplexityBot',
  'Google-Extended',
  'Applebot-Extended',
]
/** Agents may read and answer from what is free here; the data itself is sold, not training material. */
const CONTENT_SIGNAL = 'search=yes, ai-input=yes, ai-train=no'

export const robots = defineDocument({
  id: 'document.robots',
  path: '/robots.txt',
  summary: 'Rules for crawlers',
  description: 'Everybody may read everything that is free; agents are welcome.',
  renderings: [text('text/plain', robotsText)],
})

function robotsText(site: Site): string {
  const group = [
    ...CRAWLERS.map((crawler) => `User-agent: ${crawler}`),
    `Content-Signal: ${CONTENT_SIGNAL}`,
    'Allow: /',
  ]
  return [...group, '', `Sitemap: ${urlOf(site, 'document.sitemap')}`, ''].join('\n')
}
