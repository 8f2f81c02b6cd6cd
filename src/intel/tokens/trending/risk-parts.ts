import type { TokenSecurity } from '../../../upstreams/goplus/wire.ts'
import type { Simulation } from '../../../upstreams/honeypot/wire.ts'
import type { Part } from '../../part.ts'
import { TOKEN_FACTS } from '../facts/token-facts.ts'
import type { TokenSource } from '../token-analysis.ts'

/** What the risk sources say of a token, or why they do not. */
export type RiskCheck = { security: Part<TokenSecurity>; simulation: Part<Simulation> }

const CHECKS = ['security', 'simulation'] as const

/**
 * For each risk source the oldest check that the scores rest on; missing where none does. A check that was young enough
 * when the list was made stays `aged` while that list is served: it was used.
 */
export function riskParts(checks: readonly RiskCheck[], nowMs: number): readonly Part<undefined>[] {
  return CHECKS.map((name) => {
    const { source, ages } = TOKEN_FACTS[name]
    const parts = checks.map((check) => check[name])
    const times = parts.flatMap(({ asOfMs }) => asOfMs ?? [])
    if (times.length === 0)
      return { source, status: 'missing', reason: parts[0]?.reason ?? 'no pool was checked' }
    const asOfMs = Math.min(...times)
    return { source, status: nowMs - asOfMs <= ages.freshMs ? 'fresh' : 'aged', value: undefined, asOfMs }
  })
}

/** Who told something of the token. */
export const checkedBy = (check: RiskCheck): readonly TokenSource[] =>
  CHECKS.flatMap((name) => (check[name].status === 'missing' ? [] : TOKEN_FACTS[name].source))
