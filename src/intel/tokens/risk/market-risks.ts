import { DAY_MS } from '../../../core/time/time.ts'
import { dollars, duration } from '../in-words.ts'
import type { RiskRating, RiskReason, TokenFigures } from '../token-analysis.ts'
import { COLLAPSE_PERCENT, LOW_LIQUIDITY_USD } from './bounds.ts'
import { findImitated } from './imitation.ts'
import { reason, severityOf } from './reason.ts'

// Whether there is a market to sell into. `docs/methodology/tokens.md` says what each bound rests on.

/** Below so many dollars. */
const LIQUIDITY_STEPS = [
  [100, 'critical'],
  [LOW_LIQUIDITY_USD, 'high'],
  [100_000, 'medium'],
] as const satisfies readonly (readonly [number, RiskRating])[]

/** Younger than this. */
const AGE_STEPS = [
  [DAY_MS, 'high'],
  [7 * DAY_MS, 'medium'],
] as const satisfies readonly (readonly [number, RiskRating])[]

/** Fallen by so many percent in a day. */
const FALL_STEPS = [
  [COLLAPSE_PERCENT, 'critical'],
  [70, 'high'],
  [40, 'medium'],
] as const satisfies readonly (readonly [number, RiskRating])[]

/** The whole supply is said to be worth so many times what the pools hold. */
const VALUE_PER_LIQUIDITY_STEPS = [
  [1_000, 'high'],
  [200, 'medium'],
] as const satisfies readonly (readonly [number, RiskRating])[]

const LOCK_SHARE = 0.5
/** Who has left the liquidity in place for so long is less likely to take it now. */
const LOCK_MATTERS_MS = 30 * DAY_MS

export function marketRisks(figures: TokenFigures): RiskReason[] {
  return [
    ...liquidityRisks(figures),
    ...lockRisks(figures),
    ...ageRisks(figures),
    ...fallRisks(figures),
    ...valueRisks(figures),
    ...nameRisks(figures),
  ]
}

function liquidityRisks({ market: { liquidityUsd, pools } }: TokenFigures): RiskReason[] {
  if (liquidityUsd === undefined)
    return [
      reason('liquidity_unknown', 'high', 'How much can be sold is not known.', 'liquidity', 'tollbook'),
    ]
  const severity = LIQUIDITY_STEPS.find(([below]) => liquidityUsd < below)?.[1]
  if (severity === undefined) return []
  const words =
    severity === 'critical'
      ? 'There is next to nothing to sell into: never filled, or drained.'
      : 'Little liquidity: even a small sale moves the price against the seller.'
  const evidence = `${dollars(liquidityUsd)} in ${pools} ${pools === 1 ? 'pool' : 'pools'}`
  return [reason('low_liquidity', severity, words, evidence, 'dexscreener')]
}

function lockRisks({ holders, market, powers }: TokenFigures): RiskReason[] {
  const share = holders.lockedLiquidityShare
  if (share !== undefined && share.value >= LOCK_SHARE) return []
  const isYoung = market.ageMs === undefined || market.ageMs < LOCK_MATTERS_MS
  const severity = isYoung && !powers.isTrusted ? 'medium' : 'low'
  if (share === undefined) {
    const words = 'Whether the liquidity is locked is not known.'
    return [reason('lock_unknown', severity, words, 'locked liquidity', 'tollbook')]
  }
  const words = 'Most of the liquidity is not locked: who put it there can take it away.'
  const evidence = `${Math.round(share.value * 100)} % locked or burnt`
  return [reason('liquidity_not_locked', severity, words, evidence, share.source)]
}

function ageRisks({ market: { ageMs } }: TokenFigures): RiskReason[] {
  if (ageMs === undefined)
    return [reason('age_unknown', 'high', 'The age of its market is not known.', 'age', 'tollbook')]
  const severity = AGE_STEPS.find(([below]) => ageMs < below)?.[1]
  if (severity === undefined) return []
  const words = 'Its oldest pool is very young: most scams end within days.'
  return [reason('young', severity, words, `${duration(ageMs)} old`, 'dexscreener')]
}

function fallRisks({ market: { change }, powers }: TokenFigures): RiskReason[] {
  if (change.h24 === undefined) {
    const words = 'Whether the price has fallen within a day is not known.'
    return [
      reason('change_unknown', powers.isTrusted ? 'low' : 'medium', words, 'change in 24 hours', 'tollbook'),
    ]
  }
  const severity = severityOf(-change.h24, FALL_STEPS)
  if (severity === undefined) return []
  const words = 'The price has collapsed within a day.'
  return [reason('collapsed', severity, words, `${change.h24.toFixed(1)} % in 24 hours`, 'tollbook')]
}

function valueRisks({ market: { fdvUsd, liquidityUsd }, powers }: TokenFigures): RiskReason[] {
  if (fdvUsd === undefined || liquidityUsd === undefined || liquidityUsd <= 0) return []
  const severity = severityOf(fdvUsd / liquidityUsd, VALUE_PER_LIQUIDITY_STEPS)
  if (severity === undefined || powers.isTrusted) return []
  const words =
    'The pools hold a tiny part of what the supply is said to be worth: that value cannot be sold.'
  const evidence = `${dollars(fdvUsd)} of value over ${dollars(liquidityUsd)} of liquidity`
  return [reason('thin_value', severity, words, evidence, 'dexscreener')]
}

function nameRisks({
  address,
  identity: { name, symbol, alsoCalled, isWithheld },
}: TokenFigures): RiskReason[] {
  if (isWithheld) {
    const words = 'Its name gives instructions to the models that read it, or hides something from people.'
    return [reason('hostile_name', 'critical', words, 'name and symbol are left out', 'tollbook')]
  }
  const [imitated] = [{ name, symbol }, ...alsoCalled].flatMap(
    (called) => findImitated(address, called.symbol, called.name) ?? [],
  )
  if (imitated === undefined) return []
  const words = `It bears the name of ${imitated} and is not it.`
  return [reason('imitation', 'critical', words, `contract ${address}`, 'tollbook')]
}
