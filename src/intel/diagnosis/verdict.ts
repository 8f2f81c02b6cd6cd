import type { RiskReason, TokenAnalysis } from '../tokens/token-analysis.ts'
import { wordsOf } from './reason-words.ts'

/** Whether a token can be traded as it is now. */
export const VERDICTS = ['ready', 'caution', 'avoid', 'unknown'] as const
export type Verdict = (typeof VERDICTS)[number]

export type TradeReadiness = {
  verdict: Verdict
  /** What decided, worst first: codes of risk reasons, or of the rules below. */
  reasons: readonly { code: string; words: string }[]
}

/** With less than this share of the score resting on something known, nothing good can be said. */
const MIN_CONFIDENCE = 0.5
const MIN_READY_SCORE = 60
const MAX_REASONS = 5

/** Rules, never a model. What is known to be bad decides before what is not known. */
export function judgeReadiness({ market, risk, score }: TokenAnalysis): TradeReadiness {
  const grave = risk.reasons.filter(({ severity }) => severity === 'critical' || severity === 'high')
  const known = grave.filter((reason) => !isUnknown(reason))
  if (known.length > 0) return { verdict: 'avoid', reasons: toReasons(known) }
  const unclear = [
    ...toReasons(grave),
    ...(market.priceUsd === undefined ? [NO_PRICE] : []),
    ...(score.confidence < MIN_CONFIDENCE ? [LITTLE_KNOWN] : []),
  ]
  if (unclear.length > 0) return { verdict: 'unknown', reasons: unclear.slice(0, MAX_REASONS) }
  const medium = risk.reasons.filter(({ severity }) => severity === 'medium')
  if (medium.length > 0) return { verdict: 'caution', reasons: toReasons(medium) }
  if (score.value < MIN_READY_SCORE) return { verdict: 'caution', reasons: [LOW_SCORE] }
  return { verdict: 'ready', reasons: [NOTHING_FOUND] }
}

/** It is a reason because nobody could tell, not because somebody did. */
export const isUnknown = ({ code }: Pick<RiskReason, 'code'>): boolean => code.endsWith('_unknown')

const toReasons = (reasons: readonly RiskReason[]) =>
  reasons.slice(0, MAX_REASONS).map((reason) => ({ code: reason.code, words: wordsOf(reason) }))

const NO_PRICE = { code: 'no_price', words: 'No pool gives it a price.' }
const LITTLE_KNOWN = { code: 'little_known', words: 'Too much of what the score rests on is not known.' }
const LOW_SCORE = { code: 'low_score', words: 'Its score is low although no single risk stands out.' }
const NOTHING_FOUND = { code: 'nothing_found', words: 'No risk above low was found, and the score is good.' }
