import { TOKEN_MARK } from '../draft.ts'
import type { TradeReadiness, Verdict } from '../verdict.ts'
import { countOf, type FactsById, percentOf, sentences } from './figures.ts'

const MAX_NAMED = 2

/** The verdict, and what decided it. */
export function openingParagraph(facts: FactsById, { verdict, reasons }: TradeReadiness): string {
  const rating = facts.get('risk_rating')?.value
  const score = countOf(facts, 'score')
  const named = reasonsNamed({ verdict, reasons }).map(({ words }) => words)
  return sentences(
    `${OPENINGS[verdict]}: its risk rating is ${rating}, its score ${score} of 100.`,
    ...named,
    surety(facts),
  )
}

/** The reasons that the opening says in words. */
export function reasonsNamed({ verdict, reasons }: TradeReadiness): TradeReadiness['reasons'] {
  if (verdict === 'ready') return []
  // The last sentence says how little is known, in figures.
  return reasons.filter(({ code }) => code !== 'little_known').slice(0, MAX_NAMED)
}

const OPENINGS: Readonly<Record<Verdict, string>> = {
  ready: `Nothing that was checked speaks against ${TOKEN_MARK}`,
  caution: `${TOKEN_MARK} can be traded with care`,
  avoid: `${TOKEN_MARK} is a token to stay away from`,
  unknown: `Too little is known of ${TOKEN_MARK} to judge it`,
}

/** Below this the reader should know how little the score rests on. */
const WELL_KNOWN_PERCENT = 75

function surety(facts: FactsById): string | undefined {
  const value = facts.get('score_confidence_percent')?.value
  if (typeof value !== 'number' || value >= WELL_KNOWN_PERCENT) return undefined
  return `Only ${percentOf(facts, 'score_confidence_percent')} of what the score rests on is known.`
}
