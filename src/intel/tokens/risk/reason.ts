import type { RiskRating, RiskReason, TokenSource } from '../token-analysis.ts'

/** Rules of ours that rest on no single source say `tollbook`. */
export const reason = (
  code: string,
  severity: RiskRating,
  words: string,
  evidence: string,
  source: TokenSource | 'tollbook',
): RiskReason => ({ code, severity, words, evidence, source })

/** The severity of the first step that the value reaches; undefined below all of them. Steps fall. */
export function severityOf(value: number, steps: readonly (readonly [number, RiskRating])[]) {
  return steps.find(([from]) => value >= from)?.[1]
}
