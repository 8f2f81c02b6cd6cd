import { HOUR_MS } from '../../core/time/time.ts'
import type { Activity } from '../../upstreams/polymarket/account-activity.ts'
import { feePaid } from './fee-paid.ts'
import { findFiveMinuteSlug } from './five-minute-slug.ts'
import { findMillionths } from './millionths.ts'
import { countShares, type SharesLeft } from './shares-left.ts'

/** What an account did in one five-minute market. Amounts are millionths of a dollar or of a share. */
export type MarketTrades = {
  conditionId: string
  slug: string
  title: string
  coin: string
  windowStartS: number
  windowEndS: number
  /** Paid for shares, fees included. */
  cost: bigint
  /** Received for shares that were sold or redeemed. */
  collected: bigint
  /** Dollars that became a pair of shares, and pairs that became dollars again. */
  split: bigint
  merged: bigint
  /** Undefined while the venue does not say at what price something was traded. */
  fees: bigint | undefined
  fills: number
  sharesLeft: SharesLeft
  firstMs: number
  lastMs: number
}

/** The venue lists and trades a window for a day before it opens; the hour is for its own delays. */
const TRADED_AHEAD_MS = 25 * HOUR_MS

/** Windows that open later than this were not traded before `cutMs`, so rows after it are all that they have. */
export const wholeAfterMs = (cutMs: number): number => cutMs + TRADED_AHEAD_MS

export type Result = 'open' | 'win' | 'loss'

/** Newest window first; other markets, and rows that lack what they need, are left out. */
export function tradesByMarket(rows: readonly Activity[]): readonly MarketTrades[] {
  const named = new Map<string, Named>()
  for (const row of rows) {
    const window = findFiveMinuteSlug(row.slug) ?? findFiveMinuteSlug(row.eventSlug)
    if (window && !named.has(keyOf(row))) named.set(keyOf(row), { ...window, title: row.title })
  }
  return [...Map.groupBy(rows.filter(isWhole), keyOf)]
    .flatMap(([key, ofMarket]) => {
      const market = named.get(key)
      const counted = ofMarket.filter(({ kind }) => kind !== 'OTHER')
      return market && counted.length > 0 ? toTrades(key, market, counted) : []
    })
    .sort(newestFirst)
}

/** As the specification derives it. */
export function resultOf({ windowEndS, collected }: MarketTrades, nowMs: number): Result {
  if (windowEndS * 1000 > nowMs) return 'open'
  return collected > 0n ? 'win' : 'loss'
}

export const profitOf = ({ collected, merged, cost, split }: MarketTrades): bigint =>
  collected + merged - cost - split

type Named = NonNullable<ReturnType<typeof findFiveMinuteSlug>> & { title: string }

/** Not every row of a market has its slug; all have its condition. */
const keyOf = ({ conditionId, slug }: Activity) => conditionId.toLowerCase() || slug

/** Amounts and a time that can be, and of a trade its side. */
const isWhole = ({ kind, side, shares, usd, atMs }: Activity) =>
  findMillionths(shares) !== undefined &&
  findMillionths(usd) !== undefined &&
  Number.isSafeInteger(atMs) &&
  (kind !== 'TRADE' || side !== undefined)

function toTrades(conditionId: string, market: Named, rows: readonly Activity[]): MarketTrades {
  const trades = rows.filter(({ kind }) => kind === 'TRADE')
  const times = rows.map(({ atMs }) => atMs)
  return {
    ...market,
    conditionId,
    cost: sumOf(trades.filter(({ side }) => side === 'BUY')),
    collected: sumOf(
      rows.filter(({ kind, side }) => kind === 'REDEEM' || (kind === 'TRADE' && side === 'SELL')),
    ),
    split: sumOf(rows.filter(({ kind }) => kind === 'SPLIT')),
    merged: sumOf(rows.filter(({ kind }) => kind === 'MERGE')),
    fees: feesOf(trades),
    fills: trades.length,
    sharesLeft: countShares(rows),
    firstMs: times.reduce((a, b) => Math.min(a, b)),
    lastMs: times.reduce((a, b) => Math.max(a, b)),
  }
}

const sumOf = (rows: readonly Activity[]) =>
  rows.reduce((sum, { usd }) => sum + (findMillionths(usd) ?? 0n), 0n)

function feesOf(trades: readonly Activity[]): bigint | undefined {
  const fees = trades.map(feePaid)
  return fees.reduce<bigint | undefined>(
    (sum, fee) => (sum === undefined || fee === undefined ? undefined : sum + fee),
    0n,
  )
}

const newestFirst = (a: MarketTrades, b: MarketTrades) =>
  b.windowStartS - a.windowStartS || compare(a.slug, b.slug) || compare(a.conditionId, b.conditionId)

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
