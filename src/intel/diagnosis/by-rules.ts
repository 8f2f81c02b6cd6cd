import type { Fact } from '../writer/fact.ts'
import { type Draft, FINDING_CHARS, MAX_FINDINGS } from './draft.ts'
import { evidenceFor, strengthsAmong } from './finding-facts.ts'
import { capital, listed, small } from './in-words.ts'
import { NOT_ASKED, NOTHING_ON_IT } from './judgement-facts.ts'
import { contractParagraph } from './paragraphs/contract.ts'
import { holdersParagraph } from './paragraphs/holders.ts'
import { marketParagraph } from './paragraphs/market.ts'
import { openingParagraph, reasonsNamed } from './paragraphs/opening.ts'
import type { TradeReadiness } from './verdict.ts'

const MAX_STRENGTHS = 3

/** A readable diagnosis without a model. It says nothing but the facts, so it passes the same checks. */
export function writeByRules(facts: readonly Fact[], readiness: TradeReadiness): Draft {
  const byId = new Map(facts.map((fact) => [fact.id, fact]))
  const said = new Set(reasonsNamed(readiness).map(({ code }) => `risk.${code}`))
  const paragraphs = [
    openingParagraph(byId, readiness),
    marketParagraph(byId),
    contractParagraph(byId, said),
    holdersParagraph(byId),
    gapsParagraph(facts),
  ]
  return {
    verdict: readiness.verdict,
    analysis: paragraphs.filter((text) => text !== '').join('\n\n'),
    findings: findingsOf(facts, byId),
  }
}

function findingsOf(facts: readonly Fact[], byId: ReadonlyMap<string, Fact>): Draft['findings'] {
  const strengths = strengthsAmong(byId).slice(0, MAX_STRENGTHS)
  const risks = facts.filter(({ id }) => id.startsWith('risk.')).slice(0, MAX_FINDINGS - strengths.length)
  const found = [
    ...risks.map((risk) => {
      const evidence = evidenceFor(risk.id).flatMap((id) => byId.get(id) ?? [])
      // What sources and owners are said to do stands in the risk's own words already.
      const figures = evidence.filter(({ unit }) => unit !== undefined)
      return { text: join([risk, ...figures]), facts: [risk, ...evidence].map(({ id }) => id) }
    }),
    ...strengths.map((fact) => ({ text: fact.says, facts: [fact.id] })),
  ]
  if (found.length > 0) return found
  const rating = byId.get('risk_rating')
  return rating ? [{ text: rating.says, facts: [rating.id] }] : []
}

const join = (facts: readonly Fact[]) =>
  facts
    .map(({ says }) => says)
    .join(' ')
    .slice(0, FINDING_CHARS.max)

function gapsParagraph(facts: readonly Fact[]): string {
  const lacking = sourcesThat(NOTHING_ON_IT, facts)
  const silent = sourcesThat(NOT_ASKED, facts)
  return [
    lacking.length > 0 && `${capital(listed(lacking))} answered, without anything on this token.`,
    silent.length > 0 &&
      `${capital(listed(silent))} could not be asked, and what ${silent.length === 1 ? 'it' : 'they'} would say is missing here.`,
  ]
    .filter((text) => text !== false)
    .join(' ')
}

const sourcesThat = (lack: string, facts: readonly Fact[]): string[] =>
  facts
    .filter(({ id, value }) => id.startsWith('missing.') && value === lack)
    .map(({ says }) => small(says.replace(` ${lack}.`, '')))
