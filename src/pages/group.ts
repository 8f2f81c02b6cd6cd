import type { Group } from '../catalog/group.ts'
import { scalperPage } from './scalper/scalper-page.ts'
import type { PageServices } from './services.ts'

/** Pages that have no JSON at the same address; the others are views of products and documents. */
export const pageGroup: Group<PageServices> = {
  tag: 'pages',
  about: 'Pages for people that stand at an address of their own.',
  endpoints: [scalperPage],
}
