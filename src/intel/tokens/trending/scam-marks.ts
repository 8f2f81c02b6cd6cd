import { DAY_MS } from '../../../core/time/time.ts'
import { canLimitTrades, hinderedShares } from '../facts/reports.ts'
import { BUYS_PER_SELL, buysPerSell, COLLAPSE_PERCENT, HIGH_TAX, LOW_LIQUIDITY_USD } from '../risk/bounds.ts'
import { findImitated } from '../risk/imitation.ts'
import type { RiskCheck } from './risk-parts.ts'
import type { TrendingPool } from './trending-pool.ts'

/** How scams look, each with what is left of the score. Reasoned in `docs/methodology/tokens.md`. */
export const SCAM_MARKS = {
  honeypot: 0,
  hindered_sales: 0.1,
  imitation: 0.1,
  collapsed: 0.2,
  high_tax: 0.3,
  few_sells: 0.3,
  low_liquidity: 0.3,
  dangerous_owner: 0.5,
  churned_volume: 0.5,
  reported: 0.5,
  young: 0.8,
  unchecked: 0.8,
} as const
export type ScamMark = keyof typeof SCAM_MARKS

/** Nobody turns the whole pool over so often in a day but to look busy. */
const CHURN = 50
const MIN_REPORTS = 10
/** From here on the same is high in the rating of a token. */
const MANY_CANNOT_SELL = 0.2

export function scamMarks(pool: TrendingPool, check: RiskCheck, nowMs: number): ScamMark[] {
  const [security, simulation] = [check.security.value, check.simulation.value]
  const { liquidityUsd, volumeUsd24h, createdMs, buys24h, sells24h, reports, token } = pool
  const tax = Math.max(
    security?.sellTax ?? 0,
    security?.buyTax ?? 0,
    simulation?.sellTax ?? 0,
    simulation?.buyTax ?? 0,
    simulation?.holders?.averageTax ?? 0,
  )
  const applies: Readonly<Record<ScamMark, boolean>> = {
    honeypot: security?.isHoneypot === true || simulation?.verdict === 'honeypot',
    hindered_sales: hindersSales(check),
    imitation:
      findImitated(token.address, token.symbol, token.name) !== undefined ||
      findImitated(token.address, security?.symbol, security?.name) !== undefined ||
      security?.isTrueToken === false,
    collapsed: -pool.change24h >= COLLAPSE_PERCENT,
    high_tax: tax >= HIGH_TAX,
    few_sells: (buysPerSell(buys24h, sells24h) ?? 0) >= BUYS_PER_SELL,
    low_liquidity: (liquidityUsd ?? 0) < LOW_LIQUIDITY_USD,
    dangerous_owner:
      security?.canChangeBalances === true ||
      security?.hasHiddenOwner === true ||
      security?.canTakeBackOwnership === true ||
      (security !== undefined && canLimitTrades(security)),
    churned_volume: liquidityUsd !== undefined && volumeUsd24h >= CHURN * Math.max(1, liquidityUsd),
    reported: reports !== undefined && reports >= MIN_REPORTS,
    young: createdMs === undefined || nowMs - createdMs < DAY_MS,
    unchecked: security === undefined && simulation === undefined,
  }
  return (Object.keys(applies) as ScamMark[]).filter((mark) => applies[mark])
}

function hindersSales({ security, simulation }: RiskCheck): boolean {
  if (security.value?.cannotBuy === true || simulation.value?.worstFlag === 'critical') return true
  if (simulation.value === undefined) return false
  const { failed, siphoned } = hinderedShares(simulation.value)
  return failed >= MANY_CANNOT_SELL || siphoned > 0
}
