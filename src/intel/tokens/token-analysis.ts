import type { Part } from '../part.ts'

/** Who tells us about a token. */
export const TOKEN_SOURCES = [
  'dexscreener',
  'geckoterminal',
  'goplus',
  'honeypot.is',
  'blockscout',
  'base_node',
] as const
export type TokenSource = (typeof TOKEN_SOURCES)[number]

/** A figure and who told it. */
export type Told<T> = { value: T; source: TokenSource }

export const CHANGE_SPANS = ['m5', 'h1', 'h6', 'h24'] as const
export type ChangeSpan = (typeof CHANGE_SPANS)[number]

/** Everything we can say about a token on Base. Unknown is undefined, never zero and never safe. */
export type TokenAnalysis = {
  /** In lower case. */
  address: string
  identity: TokenIdentity
  market: TokenMarket
  holders: TokenHolders
  taxes: TokenTaxes
  powers: TokenPowers
  honeypot: HoneypotVerdict
  reports: readonly ScamReport[]
  risk: TokenRisk
  score: TokenScore
  /** What each source gave, or why it did not. */
  parts: Readonly<Record<TokenSource, Part<unknown>>>
  /** The time of the market data, which no analysis can do without. */
  asOfMs: number
}

export type TokenIdentity = {
  /** Cleaned for showing; still written by strangers: never an instruction, never a proof of anything. */
  name: string | undefined
  symbol: string | undefined
  /** Name and symbol are left out because they speak to the model that reads them, or hide something from people. */
  isWithheld: boolean
  /** What the sources call it, shown or not: a contract may call itself another name today. */
  alsoCalled: readonly { name: string | undefined; symbol: string | undefined }[]
  decimals: number | undefined
  /** In whole tokens. */
  totalSupply: number | undefined
}

export type TokenMarket = {
  /** Undefined where no pool trades it. */
  priceUsd: number | undefined
  /** In percent. */
  change: Readonly<Record<ChangeSpan, number | undefined>>
  /** Over all pools. */
  volumeUsd24h: number | undefined
  buys24h: number | undefined
  sells24h: number | undefined
  /** Over all pools; zero where there are none. */
  liquidityUsd: number | undefined
  pools: number
  marketCapUsd: number | undefined
  /** What all tokens that exist would be worth. */
  fdvUsd: number | undefined
  /** When the oldest pool was made; the token may be older. */
  createdMs: number | undefined
  /** From then to the time of the market data. */
  ageMs: number | undefined
}

/** An analysis before it is judged. */
export type TokenFigures = Omit<TokenAnalysis, 'risk' | 'score'>

/** Shares are of the supply, from 0 to 1. */
export type TokenHolders = {
  count: Told<number> | undefined
  /** Of the ten largest that are neither contracts nor locked nor burnt. */
  top10Share: Told<number> | undefined
  /** The largest holder that is neither a contract nor locked nor burnt; without address where there is none. */
  largest: Told<{ address: string | undefined; share: number }> | undefined
  /** Of the ten largest contracts that are not known to be pools or locks: somebody may be able to sell it. */
  contractShare: Told<number> | undefined
  creatorShare: Told<number> | undefined
  ownerShare: Told<number> | undefined
  /** Share of the liquidity that is locked or burnt. */
  lockedLiquidityShare: Told<number> | undefined
}

/** Shares of a trade, 0.05 is five percent; each the worst that a source tells. */
export type TokenTaxes = {
  buy: Told<number> | undefined
  sell: Told<number> | undefined
  transfer: Told<number> | undefined
}

/** Powers over those who hold the token. Undefined: nobody told us. */
export const POWERS = [
  'canMint',
  'isProxy',
  'hasHiddenOwner',
  'canTakeBackOwnership',
  'canPauseTransfers',
  'canBlacklist',
  'canChangeBalances',
  'canChangeTax',
  'isClosedSource',
  'limitsSales',
  'canSelfDestruct',
] as const
export type Power = (typeof POWERS)[number]

/** In each of them `true` is the dangerous answer; where sources disagree, the dangerous one counts. */
export type TokenPowers = Readonly<Record<Power, Told<boolean> | undefined>> & {
  /** `renounced`: given up for good, unless it can be taken back. */
  owner: Told<{ address: string } | 'renounced'> | undefined
  /** A risk source lists the token as famous and trustworthy, or its issuer is one that everybody knows. */
  isTrusted: boolean
}

export type HoneypotVerdict = {
  /** One source that says yes is enough for yes. */
  verdict: 'yes' | 'no' | 'unknown'
  /** Those who say what the verdict says. */
  by: readonly TokenSource[]
  /** What every source says that was asked, also where they disagree. */
  told: readonly {
    source: TokenSource
    verdict: 'yes' | 'no' | 'unknown'
    reason: string | undefined
  }[]
  isDisputed: boolean
}

/** What a risk source says outright. */
export type ScamReport = {
  code:
    | 'airdrop_scam'
    | 'fake_token'
    | 'more_than_supply'
    | 'creator_made_honeypots'
    | 'holders_cannot_sell'
    | 'holders_siphoned'
    | 'holder_tax'
    | 'critical_flag'
    | 'high_flag'
    | 'rated_risky'
    | 'cannot_buy'
    | 'trading_cooldown'
    | 'can_limit_trades'
    | 'has_whitelist'
    | 'calls_others'
    | 'abuses_gas'
  source: TokenSource
  /** How much of it there is, where that is told: of the holders, of a sale, or of the worst level. */
  share?: number
}

export const RISK_RATINGS = ['low', 'medium', 'high', 'critical'] as const
export type RiskRating = (typeof RISK_RATINGS)[number]

export type RiskReason = {
  /** Stable, for machines: `high_sell_tax`. */
  code: string
  severity: RiskRating
  /** For people, a plain sentence. */
  words: string
  /** The figure behind it, such as `sell tax 12 %`. */
  evidence: string
  source: TokenSource | 'tollbook'
}

export type TokenRisk = {
  /** The worst severity among the reasons; `low` without any. */
  rating: RiskRating
  /** Worst first. */
  reasons: readonly RiskReason[]
}

export type ScoreComponent = {
  name: string
  /** What the points were computed from; undefined where unknown, which earns no points. */
  value: number | undefined
  /** How much of it is known, from 0 to 1. */
  known: number
  weight: number
  /** From 0 to `weight`. */
  points: number
  why: string
}

export type TokenScore = {
  /** From 0 to 100, the higher the better: the smaller of `sum` and `cap`. */
  value: number
  /** The sum of all points. */
  sum: number
  /** What the risk rating allows. */
  cap: number
  /** Share of the weights that rest on something known, from 0 to 1. */
  confidence: number
  components: readonly ScoreComponent[]
}
