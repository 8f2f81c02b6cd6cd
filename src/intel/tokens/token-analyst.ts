import { ServiceError } from '../../core/service-error.ts'
import type { Part } from '../part.ts'
import { toFigures } from './facts/to-figures.ts'
import { FACT_NAMES, type TokenFactsReader } from './facts/token-facts.ts'
import { rateRisk } from './risk/rate-risk.ts'
import { scoreToken } from './score/score-token.ts'
import type { TokenAnalysis, TokenFigures } from './token-analysis.ts'

export type TokenAnalyst = {
  /**
   * Throws `upstream_unavailable` while no source tells of its market, and while no risk source can answer. The address
   * may be in any case.
   */
  analyse(address: string): Promise<TokenAnalysis>
  /** The same until an analysis could differ. */
  state(address: string): unknown
}

export function createTokenAnalyst({ facts }: { facts: TokenFactsReader }): TokenAnalyst {
  return {
    async analyse(given) {
      const address = given.toLowerCase()
      const figures = toFigures(address, await facts.read(address))
      if (!figures) throw unavailable(`no source tells of the market of ${address} right now`)
      if (RISK_SOURCES.every((source) => isSilent(figures.parts[source])))
        throw unavailable(`neither GoPlus nor honeypot.is could check ${address} right now`)
      return judge(figures)
    },
    state: (address) => facts.stateOf(FACT_NAMES, address.toLowerCase()),
  }
}

/** Who looks for traps. */
const RISK_SOURCES = ['goplus', 'honeypot.is'] as const

/** One that says it does not know the token has answered: that is news for a buyer, an outage of ours is not. */
const isSilent = (part: Part<unknown>): boolean => part.status === 'missing' && !part.isDenied

const unavailable = (what: string) =>
  new ServiceError('upstream_unavailable', `${what}; nothing was charged`, {
    hint: 'ask again in some seconds',
  })

/** Everything that is said of a token follows from its figures alone. */
export function judge(figures: TokenFigures): TokenAnalysis {
  const risk = rateRisk(figures)
  return { ...figures, risk, score: scoreToken(figures, risk) }
}
