import type { RiskRating, TokenFigures, TokenRisk, TokenScore } from '../token-analysis.ts'
import { sumOfPoints, tenths } from './component.ts'
import { componentsOf, FULL_SCORE } from './components.ts'

/** What a rating allows at most: good liquidity must not hide that nothing can be sold. */
export const SCORE_CAPS: Readonly<Record<RiskRating, number>> = {
  low: FULL_SCORE,
  medium: 80,
  high: 45,
  critical: 10,
}

/** Anybody can do this sum again from what is shown. */
export function scoreToken(figures: TokenFigures, { rating }: Pick<TokenRisk, 'rating'>): TokenScore {
  const components = componentsOf(figures)
  const sum = tenths(sumOfPoints(components))
  const cap = SCORE_CAPS[rating]
  const knownWeight = components.reduce((sum, { weight, known }) => sum + weight * known, 0)
  return {
    value: Math.min(sum, cap),
    sum,
    cap,
    confidence: Math.round((knownWeight / FULL_SCORE) * 100) / 100,
    components,
  }
}
