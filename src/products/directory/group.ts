import type { Group } from '../../catalog/group.ts'
import { discover } from './discover.ts'
import type { DirectoryServices } from './services.ts'

export const directoryGroup: Group<DirectoryServices> = {
  tag: 'directory',
  about: 'Who else sells through x402: services, facilitators, tools and clients.',
  endpoints: [discover],
}
