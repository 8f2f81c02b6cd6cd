import { percent } from '../in-words.ts'
import type { RiskRating, RiskReason, ScamReport, TokenFigures } from '../token-analysis.ts'
import { reason, severityOf } from './reason.ts'

// What risk sources say outright. `docs/methodology/tokens.md` says what each severity rests on.

type Steps = readonly (readonly [number, RiskRating])[]
type Report = {
  /** One severity, or by how much of it there is. */
  severity: RiskRating | Steps
  words: string
  /** What the share in the evidence is of. */
  of?: string
  /** The owner can use it; once the ownership is given up nobody can, unless it can be taken back. */
  isOwners?: true
  /** Famous tokens have it, too: for them it counts as low, unless it is critical. */
  isUsual?: true
}

/** Holders whose sale failed when it was tried. */
const FAIL_STEPS: Steps = [
  [0.5, 'critical'],
  [0.2, 'high'],
  [0.05, 'medium'],
]
/** The bounds of honeypot.is itself: more than a tenth, and any. */
const SIPHON_STEPS: Steps = [
  [0.1, 'critical'],
  [0, 'high'],
]
/** One wallet that is taxed more than others may be a bot that was punished. */
const HOLDER_TAX_STEPS: Steps = [
  [0.5, 'high'],
  [0.15, 'medium'],
]
/** Its words for these levels are honeypot and high. */
const LEVEL_STEPS: Steps = [
  [1, 'critical'],
  [0.6, 'high'],
]

const REPORTS: Readonly<Record<ScamReport['code'], Report>> = {
  airdrop_scam: { severity: 'critical', words: 'It is reported as bait that was sent to many wallets.' },
  fake_token: { severity: 'critical', words: 'It is reported as an imitation of another token.' },
  more_than_supply: {
    severity: 'critical',
    words: 'Somebody holds more than the supply: tokens were made in secret.',
  },
  creator_made_honeypots: {
    severity: 'high',
    words: 'Its creator made tokens before that could not be sold.',
  },
  holders_cannot_sell: {
    severity: FAIL_STEPS,
    words: 'Holders whose sale was tried could not sell.',
    of: 'of the holders tried',
    isUsual: true,
  },
  holders_siphoned: {
    severity: SIPHON_STEPS,
    words: 'Tokens were taken out of the wallets of holders.',
    of: 'of the holders tried',
    isUsual: true,
  },
  holder_tax: {
    severity: HOLDER_TAX_STEPS,
    words: 'Some holders pay a far higher tax on a sale.',
    of: 'at most',
    isUsual: true,
  },
  critical_flag: {
    severity: 'critical',
    words: 'The trial of sales warns of a grave danger.',
    isUsual: true,
  },
  high_flag: { severity: 'high', words: 'The trial of sales warns of a danger.', isUsual: true },
  rated_risky: {
    severity: LEVEL_STEPS,
    words: 'The trial of sales calls it dangerous.',
    of: 'of the worst level',
    isUsual: true,
  },
  cannot_buy: {
    severity: 'high',
    words: 'Not everybody can purchase it: its price says little.',
    isUsual: true,
  },
  trading_cooldown: {
    severity: 'medium',
    words: 'After a trade a holder has to wait before the next one.',
    isUsual: true,
  },
  can_limit_trades: {
    severity: 'high',
    words: 'How much may be traded at once can be lowered, down to nothing.',
    isOwners: true,
    isUsual: true,
  },
  has_whitelist: {
    severity: 'medium',
    words: 'Some wallets are spared what holds for all others.',
    isUsual: true,
  },
  calls_others: {
    severity: 'medium',
    words: 'Transfers depend on other contracts, which may change.',
    isUsual: true,
  },
  abuses_gas: { severity: 'high', words: 'Who transfers it pays for what others do.', isUsual: true },
}

export function reportRisks({ reports, powers }: TokenFigures): RiskReason[] {
  const isGivenUp = powers.owner?.value === 'renounced' && powers.canTakeBackOwnership?.value === false
  return reports.flatMap(({ code, source, share }) => {
    const { severity, words, of, isOwners, isUsual } = REPORTS[code]
    const told = typeof severity === 'string' ? severity : severityOf(share ?? 0, severity)
    if (told === undefined) return []
    const eased = isOwners && isGivenUp ? 'medium' : told
    const held = isUsual && powers.isTrusted && told !== 'critical' ? 'low' : eased
    const evidence = share === undefined ? `reported by ${source}` : `${percent(share)} ${of ?? ''}`.trim()
    return [reason(code, held, words, evidence, source)]
  })
}
