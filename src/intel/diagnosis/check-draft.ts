import type { RiskRating } from '../tokens/token-analysis.ts'
import { findForeignNumber } from '../writer/check-numbers.ts'
import { findFault } from '../writer/check-text.ts'
import { createWordCheck } from '../writer/check-words.ts'
import type { Fact } from '../writer/fact.ts'
import { writeByRules } from './by-rules.ts'
import { type Draft, TOKEN_MARK } from './draft.ts'
import { findFalseClaim } from './false-claims.ts'
import type { TradeReadiness, Verdict } from './verdict.ts'

const RATED =
  /\b(low|medium|high|critical)[ -](?:risk|rating)|\brisk(?: rating)?(?: is| of| stands at|:)? (?:rated )?(low|medium|high|critical)\b/gi
/** What nobody may say of a token that is to be avoided, or of which too little is known. */
const PRAISE =
  /(?<!\b(?:not|never|nor|hardly|no|un) ?)\b(?:safe(?:ly|r|st)?|sound|trustworthy|promising|bullish|ready)\b/i
const PRAISED: readonly Verdict[] = ['ready', 'caution']

type Given = { facts: readonly Fact[]; readiness: TradeReadiness; rating: RiskRating }

/** What is wrong with what somebody wrote about a token; undefined where nothing is. */
export function findDraftFault({ verdict, analysis, findings }: Draft, given: Given): string | undefined {
  const { facts, readiness, rating } = given
  if (verdict !== readiness.verdict) return 'another verdict than the rules'
  const byId = new Map(facts.map((fact) => [fact.id, fact]))
  const cited = findings.map((finding) => finding.facts.map((id) => byId.get(id)))
  if (cited.flat().includes(undefined)) return 'a fact that there is not'
  if (!citesReason(cited.flat(), given)) return 'it leaves out what decided'
  const texts = [
    { text: analysis, from: facts },
    ...findings.map(({ text }, index) => ({ text, from: (cited[index] ?? []) as readonly Fact[] })),
  ]
  const findForeignWord = createWordCheck([
    ...facts.map(({ says }) => says),
    ...textsByRules(facts, readiness),
  ])
  for (const { text, from } of texts) {
    const plain = withoutMark(text)
    const fault =
      findFault(plain) ??
      findForeignNumber(plain, from) ??
      findFalseRating(plain, rating, verdict) ??
      findFalseClaim(plain, facts) ??
      findForeignWord(plain)
    if (fault !== undefined) return fault
  }
  return undefined
}

function textsByRules(facts: readonly Fact[], readiness: TradeReadiness): string[] {
  const { analysis, findings } = writeByRules(facts, readiness)
  return [analysis, ...findings.map(({ text }) => text)].map(withoutMark)
}

const withoutMark = (text: string): string => text.replaceAll(TOKEN_MARK, 'the token')

/** The first reason of the verdict is among the findings, where it is a risk. */
function citesReason(cited: readonly (Fact | undefined)[], { facts, readiness }: Given): boolean {
  const deciding = `risk.${readiness.reasons[0]?.code}`
  return !facts.some(({ id }) => id === deciding) || cited.some((fact) => fact?.id === deciding)
}

function findFalseRating(text: string, rating: RiskRating, verdict: Verdict): string | undefined {
  const stated = [...text.matchAll(RATED)].map((match) => (match[1] ?? match[2] ?? '').toLowerCase())
  if (stated.some((word) => word !== rating)) return 'another risk rating than the rules'
  return !PRAISED.includes(verdict) && PRAISE.test(text)
    ? 'praise that the verdict does not allow'
    : undefined
}
