import type { DocumentGroup } from '../catalog/group.ts'
import type { Site } from '../catalog/site.ts'
import { stylesheet } from './stylesheet.ts'

export const pagesGroup: DocumentGroup<Site> = {
  tag: 'pages',
  about: 'What the pages for people are made of. All is free.',
  endpoints: [stylesheet],
}
