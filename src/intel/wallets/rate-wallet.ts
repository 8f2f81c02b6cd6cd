import { DAY_MS } from '../../core/time/time.ts'
import { dollars, duration, percent } from '../tokens/in-words.ts'
import { RISK_RATINGS, type RiskRating } from '../tokens/token-analysis.ts'
import { approvalReasons } from './approval-reasons.ts'
import { isRisky } from './counterparties.ts'
import type { Counterparty, WalletFigures, WalletReason, WalletRisk } from './wallet-analysis.ts'
import { walletReason } from './wallet-reason.ts'

// Every bound is reasoned in `docs/methodology/wallets.md`.

const RISKY_SHARES: readonly (readonly [number, RiskRating])[] = [
  [0.2, 'high'],
  [0.05, 'medium'],
]
const CONCENTRATED = 0.95
/** Below this, what a wallet is made of says nothing. */
const CONCENTRATED_FROM_USD = 1_000
const WEEK_MS = 7 * DAY_MS

/** The rating is that of the worst reason. What is not known is a reason, too. */
export function rateWallet(figures: WalletFigures): WalletRisk {
  const reasons = [
    ...identityReasons(figures),
    ...approvalReasons(figures),
    ...counterpartyReasons(figures),
    ...holdingReasons(figures),
  ].sort((a, b) => rankOf(b.severity) - rankOf(a.severity))
  return { rating: reasons[0]?.severity ?? 'low', reasons }
}

const rankOf = (rating: RiskRating): number => RISK_RATINGS.indexOf(rating)

function identityReasons({ isReported, label, kind, delegate, activity }: WalletFigures): WalletReason[] {
  const reasons: WalletReason[] = []
  if (isReported)
    reasons.push(
      walletReason(
        'reported_scam',
        'critical',
        'the explorer marks this address as a scam',
        label ?? 'marked',
      ),
    )
  if (kind === 'delegated_account')
    reasons.push(
      walletReason(
        'delegated',
        'medium',
        'a contract may act for this account: whoever controls the contract controls what is in it',
        `delegated to ${delegate}`,
      ),
    )
  const { ageMs } = activity
  if (ageMs === undefined)
    reasons.push(
      walletReason('age_unknown', 'medium', 'when it was first used is not known', 'no first transaction'),
    )
  else if (ageMs < WEEK_MS)
    reasons.push(
      walletReason(
        'new_wallet',
        ageMs < DAY_MS ? 'medium' : 'low',
        'it is new: nothing can be told from its past',
        `first used ${duration(ageMs)} ago`,
      ),
    )
  return reasons
}

function counterpartyReasons({ counterparties }: WalletFigures): WalletReason[] {
  if (!counterparties)
    return [
      walletReason(
        'counterparties_unknown',
        'medium',
        'whom it deals with could not be looked up',
        'no list of transfers',
      ),
    ]
  const { all, movements, riskyMovements, sentToRisky } = counterparties
  const reasons: WalletReason[] = []
  const taker = all.find(({ flags }) => flags.includes('took_approved_tokens'))
  if (taker)
    reasons.push(
      walletReason(
        'drained',
        'critical',
        'somebody took its tokens as thieves do, who have an approval or a signature: it looks as if it was robbed',
        `${taker.outgoing} transfers to ${taker.address}, worth ${dollars(taker.outUsd)} today`,
      ),
    )
  reasons.push(...unaskedReasons(all))
  const paid = all.find((party) => isRisky(party) && party.outgoing > 0)
  if (paid && sentToRisky > 0)
    reasons.push(
      walletReason(
        'sent_to_risky',
        'high',
        'it sent something to addresses that are reported or made scam tokens',
        `${sentToRisky} of ${movements} recent movements, for example to ${paid.address}`,
      ),
    )
  const share = movements === 0 ? 0 : riskyMovements / movements
  const severity = RISKY_SHARES.find(([from]) => share >= from)?.[1]
  if (severity)
    reasons.push(
      walletReason(
        'risky_counterparties',
        severity,
        'much of what it does is with dangerous addresses',
        `${percent(share)} of ${movements} recent movements`,
      ),
    )
  const bait = all.filter(({ flags }) => flags.includes('look_alike'))
  if (bait[0])
    reasons.push(
      walletReason(
        'look_alike_addresses',
        // Told, but anybody can do this to any wallet.
        'low',
        'somebody sent worthless transfers from an address that looks like one it deals with: do not copy addresses from its history',
        `${bait.length}, for example ${bait[0].address}`,
      ),
    )
  return reasons
}

function unaskedReasons(all: readonly Counterparty[]): WalletReason[] {
  const got = all.filter(({ flags }) => flags.includes('got_unasked'))
  if (!got[0]) return []
  const words =
    'most of a token left in a transaction that it did not send: a sale or payment that it signed looks like this, and so does a theft'
  return [
    walletReason(
      'left_unasked',
      'medium',
      words,
      `${got.length}, for example to ${got[0].address}, ${dollars(got[0].outUsd)} today`,
    ),
  ]
}

function holdingReasons({ wealth, parts }: WalletFigures): WalletReason[] {
  const reasons: WalletReason[] = []
  const { holdings, concentration, totalUsd, isComplete } = wealth
  const scams = holdings.filter(({ valuation }) => valuation === 'scam')
  if (scams[0])
    reasons.push(
      walletReason(
        'scam_tokens',
        'low',
        'it has scam tokens; anybody can send them, and touching them is the danger',
        `${scams.length}, for example ${scams[0].token}: ${scams[0].scamReason}`,
      ),
    )
  if (!isComplete)
    reasons.push(
      walletReason(
        'holdings_incomplete',
        'low',
        'not all of its tokens were looked at',
        `${holdings.length} were, from ${parts.holdings.source}`,
      ),
    )
  if (totalUsd === undefined)
    reasons.push(
      walletReason('worth_unknown', 'medium', 'what it is worth could not be looked up', 'no prices'),
    )
  if (concentration && concentration.largestShare >= CONCENTRATED && (totalUsd ?? 0) >= CONCENTRATED_FROM_USD)
    reasons.push(
      walletReason(
        'concentrated',
        'low',
        'nearly everything is one asset',
        `${percent(concentration.largestShare)} in ${concentration.largest}`,
      ),
    )
  return reasons
}
