import type { Group } from '../../catalog/group.ts'
import { beacon } from './beacon.ts'
import type { CommunityServices } from './services.ts'
import { postWatercooler, watercooler } from './watercooler.ts'

export const communityGroup: Group<CommunityServices> = {
  tag: 'community',
  about: 'What visitors say to each other, and how pages count their views.',
  endpoints: [watercooler, postWatercooler, beacon],
}
