import { TOKEN_SOURCES, type TokenAnalysis } from '../tokens/token-analysis.ts'
import type { Fact } from '../writer/fact.ts'
import { wordsOf } from './reason-words.ts'

/** What sources and rules say of the token in words. */
export function judgementFacts(analysis: TokenAnalysis): Fact[] {
  return [
    ...sellingFacts(analysis),
    ...ownerFacts(analysis),
    ...riskFacts(analysis),
    ...missingFacts(analysis),
  ]
}

function sellingFacts({ honeypot: { verdict, isDisputed, by } }: TokenAnalysis): Fact[] {
  if (verdict === 'unknown') return []
  const value = isDisputed ? 'disputed' : verdict === 'yes' ? 'cannot be sold' : 'can be sold'
  const says = isDisputed
    ? 'Risk sources disagree on whether it can be sold.'
    : verdict === 'yes'
      ? 'It cannot be sold: a honeypot.'
      : by.length > 1
        ? 'Every source that was asked says that it can be sold.'
        : 'One source says that it can be sold.'
  return [{ id: 'selling', says, value, source: by.join('+') || 'tollbook' }]
}

function ownerFacts({ powers: { owner, canTakeBackOwnership, isTrusted } }: TokenAnalysis): Fact[] {
  const facts: Fact[] = []
  if (owner !== undefined) {
    const isGivenUp = owner.value === 'renounced'
    const canReturn = canTakeBackOwnership?.value === true
    facts.push({
      id: 'owner',
      says: isGivenUp
        ? canReturn
          ? 'The ownership was given up and can be taken back.'
          : 'The ownership of the contract was given up.'
        : 'The contract has an owner.',
      value: isGivenUp ? 'given up' : 'held',
      source: owner.source,
    })
  }
  if (isTrusted)
    facts.push({
      id: 'well_known',
      says: 'A risk source lists it as well known.',
      value: true,
      source: 'goplus',
    })
  return facts
}

/** One for each code: what is said twice weighs no more. */
function riskFacts({ risk: { reasons } }: TokenAnalysis): Fact[] {
  return reasons
    .filter(({ code }, index) => reasons.findIndex((other) => other.code === code) === index)
    .map((reason) => ({
      id: `risk.${reason.code}`,
      says: wordsOf(reason),
      value: reason.severity,
      source: reason.source,
    }))
}

function missingFacts({ parts }: TokenAnalysis): Fact[] {
  return TOKEN_SOURCES.flatMap((source) => {
    const part = parts[source]
    if (part.status !== 'missing') return []
    const value = part.isDenied ? NOTHING_ON_IT : NOT_ASKED
    return { id: `missing.${source}`, says: `${SOURCE_WORDS[source]} ${value}.`, value, source }
  })
}

/** A source that answers and lacks the token is no outage: to wait for it is of no use. */
export const NOTHING_ON_IT = 'has nothing on this token'
export const NOT_ASKED = 'could not be asked'

/** Sources as texts name them: no text of ours looks like a link. */
const SOURCE_WORDS = {
  dexscreener: 'The source of market data',
  geckoterminal: 'The second source of market data',
  goplus: 'The source of contract checks',
  'honeypot.is': 'The simulation of trades',
  blockscout: 'The list of holders',
  base_node: 'The node of the chain',
} as const satisfies Record<(typeof TOKEN_SOURCES)[number], string>
