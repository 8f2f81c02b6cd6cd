import { DAY_MS } from '../../../core/time/time.ts'
import { POWERS, type Power, type RiskRating, type RiskReason, type TokenFigures } from '../token-analysis.ts'
import { reason } from './reason.ts'

// What somebody can do to those who hold it. `docs/methodology/tokens.md` says what each severity rests on.

type PowerRisk = {
  code: string
  severity: RiskRating
  words: string
  /** The owner can use it; once the ownership is given up nobody can, unless it can be taken back. */
  isOwners?: true
  /** Many honest tokens need it; those that are old and large have had time and reason to abuse it. */
  isUsual?: true
}

const POWER_RISKS: Readonly<Record<Power, PowerRisk>> = {
  canChangeBalances: {
    code: 'can_change_balances',
    severity: 'critical',
    words: 'The contract lets its owner write the balances of others.',
  },
  hasHiddenOwner: {
    code: 'hidden_owner',
    severity: 'high',
    words: 'Somebody who does not show has an owner’s powers.',
  },
  canTakeBackOwnership: {
    code: 'can_take_back_ownership',
    severity: 'high',
    words: 'Ownership that was given up can be taken back.',
  },
  isClosedSource: {
    code: 'closed_source',
    severity: 'high',
    words: 'The source of the contract is not published: nobody can check what it does.',
  },
  limitsSales: {
    code: 'limits_sales',
    severity: 'high',
    words: 'A holder cannot sell everything at once.',
  },
  canSelfDestruct: {
    code: 'can_self_destruct',
    severity: 'high',
    words: 'The contract can delete itself, and all balances with it.',
  },
  canMint: {
    code: 'can_mint',
    severity: 'high',
    words: 'More tokens can be made at any time.',
    isOwners: true,
    isUsual: true,
  },
  canPauseTransfers: {
    code: 'can_pause_transfers',
    severity: 'high',
    words: 'All transfers can be stopped.',
    isOwners: true,
  },
  canBlacklist: {
    code: 'can_blacklist',
    severity: 'high',
    words: 'Single holders can be kept from transferring.',
    isOwners: true,
  },
  canChangeTax: {
    code: 'can_change_tax',
    severity: 'medium',
    words: 'The tax on trades can be raised later.',
    isOwners: true,
  },
  isProxy: { code: 'proxy', severity: 'medium', words: 'The code behind the address can be replaced.' },
}

/** For machines and people: `can_mint`. */
export const codeOf = (power: Power): string => POWER_RISKS[power].code

/** So old and so large, a token counts as established. */
const ESTABLISHED = { ageMs: 180 * DAY_MS, liquidityUsd: 1_000_000 }

export function powerRisks({ powers, market }: TokenFigures): RiskReason[] {
  const isGivenUp = powers.owner?.value === 'renounced' && powers.canTakeBackOwnership?.value === false
  const isEstablished =
    (market.ageMs ?? 0) >= ESTABLISHED.ageMs && (market.liquidityUsd ?? 0) >= ESTABLISHED.liquidityUsd
  const found = POWERS.flatMap((power) => {
    const told = powers[power]
    if (told?.value !== true) return []
    const { code, severity, words, isOwners, isUsual } = POWER_RISKS[power]
    const eases = [
      ...(isOwners && isGivenUp ? ['ownership given up'] : []),
      ...(isUsual && isEstablished ? ['an established token'] : []),
    ]
    const held = powers.isTrusted ? 'low' : eases.length > 0 ? eased(severity) : severity
    return [reason(code, held, words, [code, ...eases].join(', '), told.source)]
  })
  const unknown = POWERS.filter((power) => powers[power] === undefined)
  if (unknown.length === 0) return found
  const words = 'What the contract allows its owner is not known in full.'
  const evidence = unknown.map(codeOf).join(', ')
  const severity = powers.isTrusted ? 'low' : 'medium'
  return [...found, reason('powers_unknown', severity, words, evidence, 'tollbook')]
}

const eased = (severity: RiskRating): RiskRating => (severity === 'high' ? 'medium' : 'low')
