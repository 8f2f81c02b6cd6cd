import { z } from 'zod'
import { wireFlag } from '../../wire-number.ts'
import { maybeTime, wireTime } from '../../wire-time.ts'
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
} from '../venue-fields.ts'
import { pageOf, positionMoney } from './wire.ts'

// Rows of an account. The venue writes "" for what a row has not.

const none = z.literal('').transform(() => undefined)
const orNone = <Field extends z.ZodType>(field: Field) => z.union([none, field])
const hash = () => z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'expected a transaction hash')

const named = { title: title(), slug: title(), event_slug: title(), outcome: title().nullish() }

export const ActivityRow = z
  .object({
    ...named,
    proxy_wallet: wallet(),
    timestamp: wireTime(),
    condition_id: orNone(conditionId()),
    type: z.string().regex(/^[A-Z_]{1,40}$/, 'expected a type'),
    size: shares(),
    usdc_size: usd(),
    transaction_hash: hash(),
    price: maybePrice(),
    token_id: orNone(tokenId()),
    side: orNone(side()),
  })
  .transform((row, { issues }): Activity => {
    const kind = ACTIVITY_KINDS.find((known) => known === row.type) ?? 'OTHER'
    const lack = findLack(kind, row)
    if (lack) issues.push({ code: 'custom', message: `a ${row.type} without ${lack}`, input: undefined })
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
      // Only trades have a price; the others write 0.
      price: row.price || undefined,
      transactionHash: row.transaction_hash,
      atMs: row.timestamp,
    }
  })

type Facts = { condition_id?: unknown; token_id?: unknown; side?: unknown; price?: unknown }

function findLack(kind: ActivityKind, { condition_id, token_id, side, price }: Facts): string | undefined {
  if (kind === 'OTHER') return undefined
  if (condition_id === undefined) return 'a condition id'
  if (kind !== 'TRADE') return undefined
  if (token_id === undefined) return 'a token id'
  return side === undefined ? 'a side' : price ? undefined : 'a price'
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
    title: title(),
    slug: title(),
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
