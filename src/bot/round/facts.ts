import type { Direction } from '../../signals/signal.ts'
import type { Facts, Look } from './look.ts'
import type { Reckoning, Terms } from './purchase-terms.ts'
import type { Side } from './side.ts'

const CODE_CHARS = 40

/** What one look saw, in few bytes: dollars and shares as numbers, null where it is not known. */
export function factsOf(look: Look, side: Side | undefined, terms: Terms | undefined): Facts {
  const { atMs, signal, market, day, breaker, obstacles } = look
  const { askE4, edgeE6, limitE4, caps, bound }: Reckoning = terms?.reckoning ?? {}
  const isBuy = terms !== undefined && 'spendE6' in terms
  return {
    seen_at: new Date(atMs).toISOString(),
    outcome: (side?.outcome ?? null) as Direction | null,
    probability: fromE6(side?.probabilityE6),
    confidence: rounded(confidenceOf(look, side)),
    edge: fromE6(edgeE6),
    ask: fromE4(askE4),
    limit: fromE4(limitE4),
    spend: isBuy ? fromE6(terms.spendE6) : null,
    max_fee: isBuy ? fromE6(terms.maxFeeE6) : null,
    bound: bound ?? null,
    cash: fromE6(look.cashE6),
    cap_cash: fromE6(caps?.cash),
    depth: fromE6(caps?.depth),
    kelly: fromE6(caps?.kelly),
    book_age_ms: ageOf(atMs, market?.asOfMs),
    market_age_ms: ageOf(atMs, market?.marketAsOfMs),
    signal_age_ms: ageOf(atMs, signal?.asOfMs),
    skew_ms: rounded(look.skewMs),
    trades: day.trades,
    profit: fromE6(day.profitE6),
    at_risk: fromE6(day.atRiskE6),
    losses: breaker.consecutiveLosses,
    ...(look.bossSignal && { boss_signal: look.bossSignal, signal_up: rounded(signal?.probabilityUp) }),
    ...(obstacles[0] && { obstacle: obstacles[0].code.slice(0, CODE_CHARS) }),
  }
}

/** In the side that is bought, which is not always the signal's; a forced one has none. */
function confidenceOf({ bossSignal, signal }: Look, side: Side | undefined): number | undefined {
  if (!signal || bossSignal) return undefined
  return side && side.outcome !== signal.direction ? 1 - signal.confidence : signal.confidence
}

const fromE6 = (amount: bigint | undefined) => (amount === undefined ? null : Number(amount) / 1e6)
const fromE4 = (price: number | undefined) => (price === undefined ? null : price / 1e4)
/** To six digits; JSON has no NaN. */
const rounded = (value: number | undefined) =>
  value === undefined || !Number.isFinite(value) ? null : Math.round(value * 1e6) / 1e6
const ageOf = (nowMs: number, asOfMs: number | undefined) =>
  asOfMs === undefined ? null : rounded(nowMs - asOfMs)
