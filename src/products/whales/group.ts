import type { Group } from '../../catalog/group.ts'
import type { WhaleServices } from './services.ts'
import { whaleMoves } from './whales.ts'

export const whaleGroup: Group<WhaleServices> = {
  tag: 'whales',
  about: 'What the large ones trade and move, and what goes onto exchanges and into funds.',
  endpoints: [whaleMoves],
}
