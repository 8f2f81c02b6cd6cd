import { RISK_RATINGS, type RiskRating, type TokenAnalysis } from '../tokens/token-analysis.ts'
import type { Assignment, FallbackReason, Written } from '../writer/assignment.ts'
import type { Fact } from '../writer/fact.ts'
import type { Writer } from '../writer/writer.ts'
import { writeByRules } from './by-rules.ts'
import { findDraftFault } from './check-draft.ts'
import { ANALYSIS_CHARS, Draft, type DraftFinding, FINDING_CHARS, MAX_FINDINGS, TOKEN_MARK } from './draft.ts'
import { figureFacts } from './figure-facts.ts'
import { judgementFacts } from './judgement-facts.ts'
import { type ShownNames, showNames } from './shown-names.ts'
import { fillName } from './token-name.ts'
import { isUnknown, judgeReadiness, type TradeReadiness } from './verdict.ts'

/** `gap`: what is not known. `observation`: what is neither a risk nor a gap. */
export type FindingKind = 'risk' | 'gap' | 'observation'
export type Finding = {
  text: string
  kind: FindingKind
  /** Of the worst risk that it cites; undefined where it cites none. */
  severity: RiskRating | undefined
  facts: readonly string[]
}

export type Diagnosis = {
  names: ShownNames
  readiness: TradeReadiness
  analysis: string
  findings: readonly Finding[]
  facts: readonly Fact[]
  writtenBy: string
  fallbackReason: FallbackReason | undefined
}

/** Verdict, facts and severities are computed; the writer only phrases them. */
export async function diagnose(analysis: TokenAnalysis, writer: Writer): Promise<Diagnosis> {
  return toDiagnosis(analysis, await writer.write(toAssignment(analysis)))
}

export function toDiagnosis(analysis: TokenAnalysis, written: Written<Draft>): Diagnosis {
  const facts = factsOf(analysis)
  const names = showNames(analysis.identity)
  const fill = (text: string) => fillName(text, names.symbol)
  return {
    names,
    facts,
    readiness: judgeReadiness(analysis),
    analysis: fill(written.draft.analysis),
    findings: written.draft.findings.map((finding) => ({
      ...toFinding(finding, facts),
      text: fill(finding.text),
    })),
    writtenBy: written.writtenBy,
    fallbackReason: written.fallbackReason,
  }
}

const factsOf = (analysis: TokenAnalysis): Fact[] => [...figureFacts(analysis), ...judgementFacts(analysis)]

const TASK = [
  `Write a diagnosis of a token. Call it ${TOKEN_MARK}, exactly so, or "it".`,
  'verdict: the given verdict, unchanged.',
  `analysis: ${ANALYSIS_CHARS.min} to ${ANALYSIS_CHARS.max} characters, about three short paragraphs: what decides the verdict first, then market, contract and holders, then what is not known.`,
  `findings: 1 to ${MAX_FINDINGS}, the worst first, each one sentence of ${FINDING_CHARS.min} to ${FINDING_CHARS.max} characters with the ids of all facts that it rests on. One of them cites the deciding fact.`,
].join('\n')

/** The text that is wanted about a token. */
export function toAssignment(analysis: TokenAnalysis): Assignment<typeof Draft> {
  const [facts, readiness] = [factsOf(analysis), judgeReadiness(analysis)]
  const deciding = facts.find(({ id }) => id === `risk.${readiness.reasons[0]?.code}`)
  return {
    kind: 'diagnosis',
    task: TASK,
    given: { verdict: readiness.verdict, ...(deciding && { deciding_fact: deciding.id }) },
    facts,
    draft: Draft,
    findFault: (draft) => findDraftFault(draft, { facts, readiness, rating: analysis.risk.rating }),
    byRules: () => writeByRules(facts, readiness),
  }
}

function toFinding({ text, facts: ids }: DraftFinding, facts: readonly Fact[]): Finding {
  const cited = facts.filter(({ id }) => ids.includes(id))
  const risks = cited.filter(({ id }) => id.startsWith('risk.'))
  const worst = RISK_RATINGS.findLast((rating) => risks.some(({ value }) => value === rating))
  const isGap = (fact: Fact) => fact.id.startsWith('missing.') || isUnknown({ code: fact.id })
  const kind = risks.some((fact) => !isGap(fact)) ? 'risk' : cited.some(isGap) ? 'gap' : 'observation'
  return { text, kind, severity: worst, facts: ids }
}
