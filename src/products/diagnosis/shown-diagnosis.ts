import type { z } from 'zod'
import type { Diagnosis } from '../../intel/diagnosis/diagnose.ts'
import type { TokenAnalysis } from '../../intel/tokens/token-analysis.ts'
import { isoTime } from '../fields.ts'
import { methodLink } from '../method-link.ts'
import { toParts, toSource } from '../tokens/shown-analysis.ts'
import type { DiagnosisReply } from './fields.ts'

type SourceOf = (source: string) => string

/** An analysis and what was written about it, as a reply. */
export function toReply(
  analysis: TokenAnalysis,
  { names, readiness, findings, facts, writtenBy, fallbackReason, ...written }: Diagnosis,
  sourceOf: SourceOf,
): z.input<typeof DiagnosisReply> {
  return {
    timestamp: isoTime(analysis.asOfMs),
    source: toSource(analysis, sourceOf),
    token: analysis.address,
    name: names.name ?? null,
    symbol: names.symbol ?? null,
    name_withheld: names.isWithheld,
    trade_readiness: {
      ...readiness,
      reasons: [...readiness.reasons],
      method: methodLink('diagnosis', 'verdict'),
    },
    risk_rating: analysis.risk.rating,
    score: analysis.score.value,
    analysis: written.analysis,
    findings: findings.map((finding) => ({
      text: finding.text,
      kind: finding.kind,
      severity: finding.severity ?? null,
      facts: [...finding.facts],
    })),
    facts: facts.map(({ id, says, value, unit = null, source }) => ({
      ...{ id, says, value, unit },
      source: sourceOf(source),
    })),
    written_by: writtenBy,
    fallback_reason: fallbackReason ?? null,
    parts: toParts(analysis, sourceOf),
  }
}
