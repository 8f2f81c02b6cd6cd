import type { Group } from '../../catalog/group.ts'
import { agentPulse } from './agent-pulse.ts'
import { quickBrief } from './quick-brief.ts'
import type { BriefServices } from './services.ts'

export const briefGroup: Group<BriefServices> = {
  tag: 'briefs',
  about: 'Several products in one call, made of the same parts that are sold one by one.',
  endpoints: [quickBrief, agentPulse],
}
