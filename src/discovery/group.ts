import type { DocumentGroup } from '../catalog/group.ts'
import type { Site } from '../catalog/site.ts'
import { documents } from './documents.ts'
import { methodologyPages } from './methodology.ts'

export const discoveryGroup: DocumentGroup<Site> = {
  tag: 'discovery',
  about: 'Descriptions of this service for programs, agents and people. All are free.',
  endpoints: [...documents, methodologyPages],
}
