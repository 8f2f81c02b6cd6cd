import { z } from 'zod'
import { shownText } from '../../core/shown-text.ts'
import { MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'
import { WINDOW_S, windowAt } from '../../core/time/window.ts'
import { findFiveMinuteSlug } from '../../market/prediction/five-minute-slug.ts'
import type { Position } from '../../upstreams/polymarket/account-activity.ts'
import type { PredictionServices } from './services.ts'
import { roundMicro, shownPnl, shownPrice, shownTime } from './shown-number.ts'

/** Positions change with trades of five minutes; older ones would be of markets that are over. */
export const POSITIONS_FRESH_MS = 5 * MINUTE_MS
const POSITIONS_SHOWN = 200
const TITLE_CHARS = 200
const DATE_CHARS = '2026-01-05'.length

const Dollars = z.number().nullable()
export const Positions = z.object({
  positions: z
    .array(
      z.object({
        slug: z.string(),
        title: z.string(),
        condition_id: z.string(),
        token_id: z.string(),
        outcome: z.string(),
        shares: z.number().min(0),
        average_price: z.number().min(0).max(1).nullable(),
        current_price: z.number().min(0).max(1).nullable(),
        cost_usd: Dollars.describe('Of the shares that are held, without fees_usd'),
        fees_usd: Dollars,
        current_value_usd: Dollars,
        realized_pnl_usd: Dollars,
        unrealized_pnl_usd: Dollars,
        redeemable: z.boolean(),
        ends_on: z.iso
          .date()
          .nullable()
          .describe('Day on which the market ends; the venue names no hour here'),
      }),
    )
    .describe(
      'What the operator’s own account holds and can sell, merge or redeem; not shares that lost, and nothing of a five-minute window until it has closed',
    ),
  positions_as_of: z.iso
    .datetime()
    .nullable()
    .describe('When they were read; every 30 seconds, and older than five minutes they are not shown'),
  positions_note: z.string().optional().describe('Why there are none; there only while there are none'),
})

/**
 * The operator's positions as last read, or why there are none: they are beside what is sold, so neither their lack nor
 * their reading stops anything.
 */
export function positionsOf({ account, clock }: PredictionServices): z.input<typeof Positions> {
  if (!account) return none('no trading account is configured')
  const last = account.positions()
  if (!last) return none('the account could not be read yet')
  const { value, asOfMs } = last
  if (clock.now() - asOfMs > POSITIONS_FRESH_MS) return none('the account could not be read for five minutes')
  const held = value.filter(
    ({ shares, slug }) => shares > 0 && Number.isFinite(shares) && !isOpenWindow(slug, clock.now()),
  )
  const positions = held.slice(0, POSITIONS_SHOWN).map(toPosition)
  const note = positions.length === 0 ? { positions_note: 'the account holds nothing that is shown' } : {}
  return { positions, positions_as_of: shownTime(asOfMs), ...note }
}

/** Differs whenever the positions do, apart from the time. */
export const positionChanges = ({ account, clock }: PredictionServices): unknown[] => {
  const last = account?.positions()
  return [account, last?.value, last?.asOfMs, windowAt(clock.now()).startS]
}

/** What is held in the open window says what our signal of it says, and that is for sale. */
function isOpenWindow(slug: string, nowMs: number): boolean {
  const named = findFiveMinuteSlug(slug)
  return named !== undefined && (named.windowStartS + WINDOW_S) * SECOND_MS > nowMs
}

const none = (positions_note: string) => ({ positions: [], positions_as_of: null, positions_note })

function toPosition(position: Position): z.input<typeof Positions>['positions'][number] {
  return {
    slug: shownText(position.slug, TITLE_CHARS),
    title: shownText(position.title, TITLE_CHARS),
    condition_id: position.conditionId,
    token_id: position.tokenId,
    outcome: shownText(position.outcome, TITLE_CHARS),
    shares: roundMicro(position.shares),
    average_price: shownPrice(position.averagePrice),
    current_price: shownPrice(position.currentPrice),
    cost_usd: shownPnl(position.costUsd),
    fees_usd: shownPnl(position.feesUsd),
    current_value_usd: shownPnl(position.currentValueUsd),
    realized_pnl_usd: shownPnl(position.realizedPnlUsd),
    unrealized_pnl_usd: shownPnl(position.unrealizedPnlUsd),
    redeemable: position.redeemable,
    ends_on: shownTime(position.endsAtMs)?.slice(0, DATE_CHARS) ?? null,
  }
}
