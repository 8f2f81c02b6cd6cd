import { codeOf } from '../risk/power-risks.ts'
import { POWERS, type Power, type ScoreComponent, type TokenPowers } from '../token-analysis.ts'

/** What each power costs, in shares of the component. Those that let somebody take everything cost all of it. */
const COSTS: Readonly<Record<Power, number>> = {
  canChangeBalances: 1,
  hasHiddenOwner: 0.6,
  isClosedSource: 0.6,
  limitsSales: 0.5,
  canSelfDestruct: 0.5,
  canTakeBackOwnership: 0.4,
  canMint: 0.4,
  canPauseTransfers: 0.3,
  canBlacklist: 0.3,
  canChangeTax: 0.2,
  isProxy: 0.2,
}
/** A listed issuer has a name to lose; the powers stay. */
const TRUSTED = 0.5

/** An unknown power costs as much as one that is there. */
export function powerComponent(powers: TokenPowers, weight: number): ScoreComponent {
  const known = POWERS.filter((power) => powers[power] !== undefined)
  const costly = POWERS.filter((power) => powers[power]?.value !== false)
  const cost = costly.reduce((sum, power) => sum + COSTS[power] * (powers.isTrusted ? TRUSTED : 1), 0)
  const lost = Math.min(1, Math.round(cost * 100) / 100)
  const base = { name: 'powers', weight, known: Math.round((known.length / POWERS.length) * 100) / 100 }
  if (known.length === 0) return { ...base, value: undefined, points: 0, why: 'not known: earns nothing' }
  return {
    ...base,
    value: lost,
    points: Math.round(weight * (1 - lost) * 100) / 100,
    why: whyOf(costly, powers),
  }
}

function whyOf(costly: readonly Power[], powers: TokenPowers): string {
  if (costly.length === 0) return 'no dangerous power'
  const listed = costly
    .map((power) => (powers[power] === undefined ? `${codeOf(power)} unknown` : codeOf(power)))
    .join(', ')
  return powers.isTrusted ? `${listed}; half as costly for a listed issuer` : listed
}
