import { RISK_RATINGS, type RiskRating, type TokenFigures, type TokenRisk } from '../token-analysis.ts'
import { holderRisks } from './holder-risks.ts'
import { marketRisks } from './market-risks.ts'
import { powerRisks } from './power-risks.ts'
import { reportRisks } from './report-risks.ts'
import { tradingRisks } from './trading-risks.ts'

/** The worst of all reasons. What is not known is a reason too, so silence never makes a token look safe. */
export function rateRisk(figures: TokenFigures): TokenRisk {
  const reasons = [reportRisks, tradingRisks, powerRisks, marketRisks, holderRisks]
    .flatMap((risksOf) => risksOf(figures))
    .sort((a, b) => rankOf(b.severity) - rankOf(a.severity))
  return { rating: reasons[0]?.severity ?? 'low', reasons }
}

export const rankOf = (rating: RiskRating): number => RISK_RATINGS.indexOf(rating)
