import { dollars } from '../tokens/in-words.ts'
import type { RiskRating } from '../tokens/token-analysis.ts'
import { isVouchedFor } from './approvals.ts'
import type { Approval, WalletFigures, WalletReason } from './wallet-analysis.ts'
import { walletReason } from './wallet-reason.ts'

/** What an unknown contract may take, in dollars. */
const UNKNOWN_CONTRACT: readonly (readonly [number, RiskRating])[] = [
  [10_000, 'high'],
  [100, 'medium'],
  [0, 'low'],
]
/** Less than this at the mercy of a well-known contract is not worth a word. */
const WELL_KNOWN_FROM_USD = 1_000

export function approvalReasons({ approvals }: WalletFigures): WalletReason[] {
  if (!approvals)
    return [
      walletReason('approvals_unknown', 'medium', 'open approvals could not be looked up', 'no list of them'),
    ]
  const { isComplete } = approvals
  const open = approvals.open.filter(({ isVerified }) => isVerified)
  const reasons: WalletReason[] = []
  const toScams = open.filter(({ spenderKind }) => spenderKind === 'scam')
  if (toScams[0])
    reasons.push(
      walletReason(
        'approval_to_scam',
        'critical',
        'an address that is reported as a scam may take its tokens',
        told(toScams),
      ),
    )
  const toAccounts = open.filter(({ spenderKind }) => spenderKind === 'account')
  if (toAccounts[0])
    reasons.push(
      walletReason(
        'approval_to_account',
        toAccounts.some(({ atRiskUsd }) => atRiskUsd !== 0) ? 'critical' : 'high',
        'a plain account may take its tokens; honest services use contracts, thieves use accounts',
        told(toAccounts),
      ),
    )
  const toStrangers = open.filter(
    ({ spenderKind }) => !isVouchedFor(spenderKind) && spenderKind !== 'account' && spenderKind !== 'scam',
  )
  if (toStrangers[0]) reasons.push(strangersReason(toStrangers))
  reasons.push(...untoldReasons(approvals.open))
  const unlimited = open.filter(
    ({ spenderKind, isUnlimited, atRiskUsd }) =>
      isVouchedFor(spenderKind) && isUnlimited && (atRiskUsd ?? 0) >= WELL_KNOWN_FROM_USD,
  )
  if (unlimited[0])
    reasons.push(
      walletReason(
        'unlimited_approval',
        'low',
        'approvals without limit to well-known contracts: a fault in one of them would cost everything of that token',
        told(unlimited),
      ),
    )
  if (!isComplete)
    reasons.push(
      walletReason(
        'approvals_incomplete',
        'low',
        'not all approvals were looked at',
        `${open.length} are open`,
      ),
    )
  return reasons
}

/** What could not be looked up may be worth everything, or may be made up. */
function untoldReasons(approvals: readonly Approval[]): WalletReason[] {
  const untold = approvals.filter(({ mayCount, spenderKind }) => mayCount && !isVouchedFor(spenderKind))
  if (!untold[0]) return []
  const words = 'somebody that nobody vouches for may take tokens whose worth could not be looked up'
  return [walletReason('approval_worth_unknown', 'medium', words, told(untold))]
}

function strangersReason(approvals: readonly Approval[]): WalletReason {
  // The most that one token can lose; without a known worth it is not nothing.
  const usd = lossUsd(approvals)
  const isUnknown = approvals.some(({ atRiskUsd }) => atRiskUsd === undefined)
  const severity = UNKNOWN_CONTRACT.find(([from]) => usd >= from)?.[1] ?? 'low'
  return walletReason(
    'approval_to_unknown',
    severity === 'low' && isUnknown ? 'medium' : severity,
    'contracts that nobody vouches for may take its tokens',
    told(approvals),
  )
}

/** Two that may take the same tokens can take them once. */
function lossUsd(approvals: readonly Approval[]): number {
  const most = new Map<string, number>()
  for (const { token, atRiskUsd = 0 } of approvals) most.set(token, Math.max(most.get(token) ?? 0, atRiskUsd))
  return [...most.values()].reduce((sum, usd) => sum + usd, 0)
}

function told(approvals: readonly Approval[]): string {
  const unlimited = approvals.filter(({ isUnlimited }) => isUnlimited).length
  const [first] = approvals
  const isUnknown = approvals.some(({ atRiskUsd }) => atRiskUsd === undefined)
  const loss = `${dollars(lossUsd(approvals))}${isUnknown ? ' and what nobody can tell the worth of' : ''}`
  return `${approvals.length} open, ${unlimited} without limit, ${loss} at risk, for example ${first?.token} to ${first?.spender}`
}
