import { DAY_MS } from '../../core/time/time.ts'
import { dollars, duration, percent } from '../tokens/in-words.ts'
import { component, sumOfPoints, tenths, toPoints } from '../tokens/score/component.ts'
import { linear, logarithmic } from '../tokens/score/curves.ts'
import { SCORE_CAPS } from '../tokens/score/score-token.ts'
import type { ScoreComponent } from '../tokens/token-analysis.ts'
import { isVouchedFor } from './approvals.ts'
import type { WalletFigures, WalletRisk, WalletScore } from './wallet-analysis.ts'

// Weights and bounds are reasoned in `docs/methodology/wallets.md`. The weights sum up to 100.

const FULL_SCORE = 100
const DAYS_OF_AGE = { none: 1, full: 730 }
const TRANSACTIONS = { none: 1, full: 1_000 }
const IDLE_DAYS = { none: 365, full: 30 }
const WORTH_USD = { none: 10, full: 100_000 }
/** Assets that would be as many if they were equal: one over the Herfindahl index. */
const ASSETS = { none: 1, full: 4 }
/** Of everything the wallet has. */
const AT_RISK_SHARE = { none: 0.5, full: 0 }
const RISKY_SHARE = { none: 0.2, full: 0 }
/** What follows from the list of transactions is half known where the list lacks some. */
const FROM_LIST: ReadonlySet<string> = new Set(['age', 'counterparties', 'recency'])
const HALF_KNOWN = 0.5
/** Less than this at risk is nothing. */
const NO_RISK_USD = 1

/** Anybody can do this sum again from what is shown. What is not known earns nothing. */
export function scoreWallet(figures: WalletFigures, { rating }: Pick<WalletRisk, 'rating'>): WalletScore {
  const components = componentsOf(figures).map((one) =>
    asApproved(asSeen(asListed(one, figures), figures), figures),
  )
  const sum = tenths(sumOfPoints(components))
  const knownWeight = components.reduce((weights, { weight, known }) => weights + weight * known, 0)
  const cap = SCORE_CAPS[rating]
  return {
    value: Math.min(sum, cap),
    sum,
    cap,
    confidence: Math.round((knownWeight / FULL_SCORE) * 100) / 100,
    components,
  }
}

const asListed = (one: ScoreComponent, { activity }: WalletFigures): ScoreComponent =>
  activity.hasGap && FROM_LIST.has(one.name) ? { ...one, known: one.known * HALF_KNOWN } : one

/** Others may have filled the list with what does not count: then nothing was seen that speaks against anybody. */
const asSeen = (one: ScoreComponent, { counterparties }: WalletFigures): ScoreComponent =>
  one.name === 'counterparties' && counterparties?.movements === 0 && !counterparties.isComplete
    ? { ...one, known: one.known * HALF_KNOWN }
    : one

/** Among those that were not looked at may be one that takes everything. */
const asApproved = (one: ScoreComponent, { approvals }: WalletFigures): ScoreComponent =>
  one.name === 'approvals' && approvals?.isComplete === false
    ? {
        ...one,
        known: one.known * HALF_KNOWN,
        points: toPoints(one.points * HALF_KNOWN),
        why: `${one.why}; half, as not all approvals were looked at`,
      }
    : one

function componentsOf(figures: WalletFigures): readonly ScoreComponent[] {
  const { activity, wealth } = figures
  const days = activity.ageMs === undefined ? undefined : activity.ageMs / DAY_MS
  const transactions = activity.sent ?? activity.outgoing
  const idleDays = activity.idleMs === undefined ? undefined : activity.idleMs / DAY_MS
  const assets = wealth.concentration && 1 / wealth.concentration.herfindahl
  const atRisk = atRiskShare(figures)
  const risky = riskyShare(figures)
  return [
    part(
      'age',
      20,
      days,
      (value) => logarithmic(value, DAYS_OF_AGE.none, DAYS_OF_AGE.full),
      () => `first used ${duration(activity.ageMs ?? 0)} ago`,
    ),
    part(
      'approvals',
      20,
      atRisk,
      (value) => linear(value, AT_RISK_SHARE.none, AT_RISK_SHARE.full),
      (value) => `${percent(value)} of its worth is open to spenders that nobody vouches for`,
    ),
    part(
      'counterparties',
      15,
      risky,
      (value) => linear(value, RISKY_SHARE.none, RISKY_SHARE.full),
      (value) => `${percent(value)} of its recent movements are with dangerous addresses`,
    ),
    part(
      'activity',
      15,
      transactions,
      (value) => logarithmic(value, TRANSACTIONS.none, TRANSACTIONS.full),
      (value) => `${value} transactions`,
    ),
    part(
      'worth',
      15,
      wealth.totalUsd,
      (value) => logarithmic(value, WORTH_USD.none, WORTH_USD.full),
      (value) => `${dollars(value)} that could be sold`,
    ),
    part(
      'spread',
      10,
      assets,
      (value) => linear(value, ASSETS.none, ASSETS.full),
      (value) => `as spread as ${value.toFixed(1)} equal assets`,
    ),
    part(
      'recency',
      5,
      idleDays,
      (value) => linear(value, IDLE_DAYS.none, IDLE_DAYS.full),
      () => `last active ${duration(activity.idleMs ?? 0)} ago`,
    ),
  ]
}

function part(
  name: string,
  weight: number,
  value: number | undefined,
  shareOf: (value: number) => number,
  whyOf: (value: number) => string,
): ScoreComponent {
  return component({ name, weight, value, shareOf, whyOf })
}

/** Nothing at risk is safe whatever the wallet is worth; all of a worth that is not known may be at risk. */
function atRiskShare({ approvals, wealth }: WalletFigures): number | undefined {
  if (!approvals) return undefined
  const isOpenToThieves = approvals.open.some(
    ({ isVerified, spenderKind }) => isVerified && (spenderKind === 'scam' || spenderKind === 'account'),
  )
  if (isOpenToThieves) return 1
  const isUnknown = approvals.open.some(
    ({ isVerified, mayCount, spenderKind, atRiskUsd }) =>
      !isVouchedFor(spenderKind) && (mayCount || (isVerified && atRiskUsd === undefined)),
  )
  if (isUnknown) return undefined
  if (approvals.atRiskUsd < NO_RISK_USD) return 0
  return Math.min(1, approvals.atRiskUsd / Math.max(approvals.atRiskUsd, wealth.totalUsd ?? 0))
}

function riskyShare({ counterparties }: WalletFigures): number | undefined {
  if (!counterparties) return undefined
  return counterparties.movements === 0 ? 0 : counterparties.riskyMovements / counterparties.movements
}
