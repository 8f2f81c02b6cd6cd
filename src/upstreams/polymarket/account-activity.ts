/** The kinds that move cost, collected or shares; the venue adds others (rewards, rebates, migrations). */
export const ACTIVITY_KINDS = ['TRADE', 'SPLIT', 'MERGE', 'REDEEM'] as const
export type ActivityKind = (typeof ACTIVITY_KINDS)[number] | 'OTHER'

/** One thing that an account did. The venue reports equal rows for equal fills of one transaction; each is real. */
export type Activity = {
  kind: ActivityKind
  /** As the venue names it. */
  type: string
  wallet: string
  /** Empty only where the kind is OTHER, as the transaction hash. */
  conditionId: string
  tokenId: string | undefined
  /** Of a trade. */
  side: 'BUY' | 'SELL' | undefined
  outcome: string | undefined
  title: string
  slug: string
  eventSlug: string
  /** Shares and dollars are known of all kinds but OTHER, which no sum counts. */
  shares: number | undefined
  /** What was moved. A taker's purchase has its fee in it; for sales that was not seen yet. */
  usd: number | undefined
  /** Of a trade, without its fee. */
  price: number | undefined
  transactionHash: string
  atMs: number
}

export type Position = {
  wallet: string
  tokenId: string
  conditionId: string
  slug: string
  title: string
  outcome: string
  shares: number
  averagePrice: number | undefined
  /** Without the fees. */
  costUsd: number | undefined
  feesUsd: number | undefined
  currentPrice: number | undefined
  currentValueUsd: number | undefined
  realizedPnlUsd: number | undefined
  unrealizedPnlUsd: number | undefined
  redeemable: boolean
  mergeable: boolean
  /** Midnight of the day on which the market ends; the venue names no hour here. */
  endsAtMs: number | undefined
}
