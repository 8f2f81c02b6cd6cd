import { z } from 'zod'
import { wireFlag } from '../../wire/number.ts'
import { wireText } from '../../wire/text.ts'
import { maybeTime, wireTime } from '../../wire/time.ts'
import { orUnknown } from '../../wire/unknown.ts'
import { ACTIVITY_KINDS, type Activity, type ActivityKind, type Position } from '../account-activity.ts'
import {
  conditionId,
  maybeId,
  maybePnlUsd,
  maybePrice,
  shares,
  side,
  title,
  tokenId,
  tradedPrice,
  usd,
  wallet,
  words,
} from '../venue-fields.ts'
import { pageOf, positionMoney } from './wire.ts'

// Rows of an account. The venue writes "" for what a row has not.

const MAX_TYPE_CHARS = 100
/** In small letters, as our own books write it. */
const hash = () =>
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'expected a transaction hash')
    .transform((id) => id.toLowerCase())

const named = { title: words(), slug: words(), event_slug: words(), outcome: orUnknown(title()) }

/** Everything but whose row it is, its time and its type depends on the type: see `NEEDS`. */
export const ActivityRow = z
  .object({
    ...named,
    proxy_wallet: wallet(),
    timestamp: wireTime(),
    type: wireText(MAX_TYPE_CHARS, 1),
    condition_id: orUnknown(conditionId()),
    size: orUnknown(shares()),
    usdc_size: orUnknown(usd()),
    transaction_hash: orUnknown(hash()),
    // Only trades have a price; the others write 0.
    price: orUnknown(maybePrice()).transform((price) => price || undefined),
    token_id: orUnknown(tokenId()),
    side: orUnknown(side()),
  })
  .transform((row, { issues }): Activity => {
    const kind = kindOf(row.type)
    for (const [field, name] of NEEDS[kind])
      if (row[field] === undefined)
        issues.push({ code: 'custom', path: [field], message: `a ${kind} without ${name}`, input: undefined })
    return {
      kind,
      type: row.type,
      wallet: row.proxy_wallet,
      conditionId: row.condition_id ?? '',
      tokenId: row.token_id,
      side: row.side,
      outcome: row.outcome || undefined,
      title: row.title,
      slug: row.slug,
      eventSlug: row.event_slug,
      shares: row.size,
      // With the taker's fee: 5 shares at 0.32 are 1.6 and a fee of 0.07616.
      usd: row.usdc_size,
      price: row.price,
      transactionHash: row.transaction_hash ?? '',
      atMs: row.timestamp,
    }
  })

/** In any case of letters: a trade that is taken for something else would be missing in the sums. */
const kindOf = (type: string): ActivityKind =>
  ACTIVITY_KINDS.find((known) => known === type.toUpperCase()) ?? 'OTHER'

const MOVES_MONEY = [
  ['condition_id', 'a condition id'],
  ['size', 'a number of shares'],
  ['usdc_size', 'an amount'],
  ['transaction_hash', 'a transaction hash'],
] as const
const TRADES = [...MOVES_MONEY, ['token_id', 'a token id'], ['side', 'a side'], ['price', 'a price']] as const
/** What the sums are made of. Rewards, rebates and whatever the venue adds count for none, so they need nothing. */
const NEEDS: Readonly<Record<ActivityKind, readonly (typeof TRADES)[number][]>> = {
  TRADE: TRADES,
  SPLIT: MOVES_MONEY,
  MERGE: MOVES_MONEY,
  REDEEM: MOVES_MONEY,
  OTHER: [],
}

/** One fill of an account. */
export const TradeRow = z
  .object({
    ...named,
    proxy_wallet: wallet(),
    side: side(),
    token_id: tokenId(),
    condition_id: conditionId(),
    size: shares(),
    price: tradedPrice(),
    timestamp: wireTime(),
    transaction_hash: hash(),
  })
  .transform((row) => ({
    wallet: row.proxy_wallet,
    side: row.side,
    tokenId: row.token_id,
    conditionId: row.condition_id,
    outcome: row.outcome || undefined,
    title: row.title,
    slug: row.slug,
    eventSlug: row.event_slug,
    shares: row.size,
    price: row.price,
    transactionHash: row.transaction_hash,
    atMs: row.timestamp,
  }))
export type AccountTrade = z.output<typeof TradeRow>

export const PositionRow = z
  .object({
    ...positionMoney,
    proxy_wallet: wallet(),
    token_id: tokenId(),
    condition_id: conditionId(),
    title: words(),
    slug: words(),
    outcome: title(),
    current_size: shares(),
    realized_pnl: maybePnlUsd(),
    unrealized_pnl: maybePnlUsd(),
    redeemable: wireFlag(),
    mergeable: wireFlag(),
    end_date: maybeTime(),
    status: maybeId(),
  })
  .transform(
    (row): Position => ({
      wallet: row.proxy_wallet,
      tokenId: row.token_id,
      conditionId: row.condition_id,
      slug: row.slug,
      title: row.title,
      outcome: row.outcome,
      shares: row.current_size,
      averagePrice: row.avg_price,
      costUsd: row.entry_cost_usdc,
      feesUsd: row.entry_fees_usdc,
      currentPrice: row.current_price,
      currentValueUsd: row.current_value,
      realizedPnlUsd: row.realized_pnl,
      unrealizedPnlUsd: row.unrealized_pnl,
      redeemable: row.redeemable,
      mergeable: row.mergeable,
      // A day, not a time: the venue names no hour here.
      endsAtMs: row.end_date,
    }),
  )

export const ActivityReply = pageOf(ActivityRow)
export const TradesReply = pageOf(TradeRow)
export const PositionsReply = pageOf(PositionRow)
