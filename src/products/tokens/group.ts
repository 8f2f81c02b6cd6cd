import type { Group } from '../../catalog/group.ts'
import { tokenAnalysis } from './analysis.ts'
import { tokenScore } from './score.ts'
import type { TokenServices } from './services.ts'
import { trendingPools } from './trending.ts'

export const tokenGroup: Group<TokenServices> = {
  tag: 'tokens',
  about: 'Tokens on Base: what trends, what a token is worth, who holds it, what is dangerous about it.',
  endpoints: [trendingPools, tokenAnalysis, tokenScore],
}
