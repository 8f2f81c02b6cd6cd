import { defineDocument } from '../../catalog/endpoints/document.ts'
import { text } from '../json-document.ts'

/** A toll barrier over the bars of a chart. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#12323a"/>
<path d="M8 25v-6M14 25v-9M20 25v-4M26 25v-11" stroke="#7fd1c1" stroke-width="3" stroke-linecap="round"/>
<path d="M5 12 27 6" stroke="#f5b84b" stroke-width="3.5" stroke-linecap="round"/>
</svg>
`

export const favicon = defineDocument({
  id: 'document.favicon',
  path: '/favicon.svg',
  aliases: ['/favicon.ico'],
  summary: 'Icon',
  description: 'The icon of this service, as SVG; the old address answers with the same picture.',
  renderings: [text('image/svg+xml', () => ICON)],
})
