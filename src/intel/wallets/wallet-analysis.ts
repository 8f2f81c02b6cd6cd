import type { Part } from '../part.ts'
import type { RiskRating, ScoreComponent } from '../tokens/token-analysis.ts'

/** Everything we can say about a wallet on Base. Unknown is undefined, never zero and never safe. */
export type WalletAnalysis = WalletFigures & { risk: WalletRisk; score: WalletScore }

/** What risk and score follow from. */
export type WalletFigures = {
  /** In lower case. */
  address: string
  /** `delegated_account`: an account that lets a contract act for it (EIP-7702). */
  kind: 'account' | 'contract' | 'delegated_account' | 'unknown'
  /** The contract that acts for a delegated account. */
  delegate: string | undefined
  /** What people call it, cleaned for showing. */
  label: string | undefined
  /** The explorer marks it as a scam, or it is labelled as one. */
  isReported: boolean
  wealth: WalletWealth
  activity: WalletActivity
  counterparties: Counterparties | undefined
  approvals: Approvals | undefined
  parts: WalletParts
  /** The time of the oldest part that no analysis can do without. */
  asOfMs: number
}

export const WALLET_PARTS = [
  'account',
  'holdings',
  'prices',
  'transfers',
  'transactions',
  'approvals',
  'first_transaction',
] as const
export type WalletParts = Readonly<Record<(typeof WALLET_PARTS)[number], Part<unknown>>>

/** Why a holding counts as worth something, or as nothing. */
export const VALUATIONS = [
  'valued',
  /** Worth more than the money in all pools of the token: counted with that money. */
  'capped',
  'no_price',
  'low_liquidity',
  /** Few hold it, or nobody else confirms what its pools are said to hold. */
  'unconfirmed',
  'scam',
  /** More tokens than prices are asked for. */
  'not_looked_up',
] as const
export type Valuation = (typeof VALUATIONS)[number]

export type Holding = {
  token: string
  /** Cleaned for showing; written by strangers. */
  name: string | undefined
  symbol: string | undefined
  decimals: number | undefined
  /** In the smallest unit. */
  units: bigint
  priceUsd: number | undefined
  /** What it counts with: zero where the token is known to be worth nothing, undefined where nobody can tell. */
  valueUsd: number | undefined
  valuation: Valuation
  /** Why it may be worth something although nobody can tell what; undefined where that is known, or nobody has a price. */
  doubt: 'priced_by_explorer' | 'not_told' | undefined
  /** Why it is taken for a scam. */
  scamReason: string | undefined
}

export type WalletWealth = {
  wei: bigint | undefined
  etherPriceUsd: number | undefined
  etherUsd: number | undefined
  /** The most valuable first. */
  holdings: readonly Holding[]
  /** False: there are more. */
  isComplete: boolean
  tokensUsd: number
  /** Of what has a value; undefined where nothing could be valued. */
  totalUsd: number | undefined
  concentration: Concentration | undefined
}

/** Of what has a value, ether included. */
export type Concentration = {
  largest: string
  largestShare: number
  /** The sum of the squares of all shares: 1 for a single asset, 1/n for n equal ones. */
  herfindahl: number
}

export type WalletActivity = {
  firstSeenMs: number | undefined
  ageMs: number | undefined
  /** When it last sent something itself: what others send to it is not its activity. */
  lastActiveMs: number | undefined
  idleMs: number | undefined
  /** As the chain counts them; contracts send none, and without a node nobody tells. */
  sent: number | undefined
  /** Movements from it among those that were looked at; undefined where they are not known. */
  outgoing: number | undefined
  /** The explorer says that it lists all transactions, and the chain counts more: what rests on the list is half known. */
  hasGap: boolean
  /** Newest first. */
  recent: readonly RecentTransfer[]
}

export type RecentTransfer = {
  hash: string
  atMs: number
  direction: 'in' | 'out'
  counterparty: string
  token: string
  symbol: string | undefined
  decimals: number | undefined
  units: bigint
  usd: number | undefined
}

export const COUNTERPARTY_FLAGS = [
  'reported_scam',
  'scam_token_creator',
  'took_approved_tokens',
  'got_unasked',
  'worthless_tokens_only',
  'look_alike',
] as const
export type CounterpartyFlag = (typeof COUNTERPARTY_FLAGS)[number]

export type Counterparty = {
  address: string
  label: string | undefined
  exchange: string | undefined
  isContract: boolean | undefined
  incoming: number
  outgoing: number
  /** Further transfers that a made-up token may only claim. They count for neither risk nor score. */
  unverified: number
  /** Of transfers whose token has a price. */
  inUsd: number
  outUsd: number
  lastMs: number
  flags: readonly CounterpartyFlag[]
}

export type Counterparties = {
  /** The busiest first. */
  all: readonly Counterparty[]
  /** Movements that were looked at and are no mere claims. */
  movements: number
  /** Those with somebody dangerous. */
  riskyMovements: number
  /** The same of what the wallet sent itself. */
  sentToRisky: number
  /** False: older movements were not looked at. */
  isComplete: boolean
}

export const SPENDER_KINDS = [
  'well_known',
  'named_contract',
  'unknown_contract',
  'account',
  'scam',
  'unknown',
] as const
export type SpenderKind = (typeof SPENDER_KINDS)[number]

export type Approval = {
  token: string
  symbol: string | undefined
  decimals: number | undefined
  spender: string
  spenderKind: SpenderKind
  spenderName: string | undefined
  allowance: bigint
  isUnlimited: boolean
  /** Read from the chain; else what was approved, of which some may have been used. */
  isCurrent: boolean
  sinceMs: number | undefined
  /** False: the token may be made up, and with it the approval. It counts for neither risk nor score. */
  isVerified: boolean
  /** Not verified because the worth of the token could not be asked for: it may count. */
  mayCount: boolean
  /** What the spender can take now; undefined where the balance or its worth is not known. */
  atRiskUsd: number | undefined
}

export type Approvals = {
  /** The most dangerous first. */
  open: readonly Approval[]
  /** What spenders that nobody vouches for can take, every asset counted once. */
  atRiskUsd: number
  /** Spender kinds of some are not known. */
  isComplete: boolean
}

export type WalletReason = {
  code: string
  severity: RiskRating
  words: string
  evidence: string
}
export type WalletRisk = { rating: RiskRating; reasons: readonly WalletReason[] }

export type WalletScore = {
  /** The smaller of sum and cap. */
  value: number
  sum: number
  cap: number
  /** Share of the weights that rests on something known. */
  confidence: number
  components: readonly ScoreComponent[]
}
