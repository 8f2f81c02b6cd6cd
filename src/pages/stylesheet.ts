import { readFileSync } from 'node:fs'
import { defineDocument } from '../catalog/endpoints/document.ts'
import type { Site } from '../catalog/site.ts'
import { text } from '../discovery/json-document.ts'

export const STYLESHEET = '/assets/tollbook.css'

const FILE = new URL('./assets/tollbook.css', import.meta.url)

export const stylesheet = defineDocument<Site>({
  id: 'document.stylesheet',
  path: STYLESHEET,
  summary: 'Style sheet',
  description: 'How the pages of this service look.',
  renderings: [text('text/css', () => readFileSync(FILE, 'utf8'))],
})
