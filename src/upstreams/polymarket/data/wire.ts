import { z } from 'zod'
import { maybeFlag, maybeNumber, wireFlag, wireNumber } from '../../wire/number.ts'
import { wireArray } from '../../wire/text.ts'
import { maybeTime, wireTime } from '../../wire/time.ts'
import { conditionId, cursor, maybePrice, maybeUsd, usd, wallet } from '../venue-fields.ts'

export const MAX_ROWS_PER_PAGE = 1_000
const MAX_OUTCOMES = 100
const MAX_AGE_S = 1e9

/** A page of rows. Every row counts for a sum of money, so one bad row refuses the page. */
export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z
    .object({
      data: wireArray(row, MAX_ROWS_PER_PAGE),
      pagination: z.object({ has_more: wireFlag(), next_cursor: cursor() }).nullish(),
    })
    .transform(({ data, pagination }, { issues }) => {
      const nextCursor = pagination?.has_more ? pagination.next_cursor : undefined
      if (pagination?.has_more && nextCursor === undefined)
        issues.push({ code: 'custom', message: 'more rows, but no cursor to them', input: undefined })
      return { rows: data, nextCursor }
    })

export const ValueReply = z
  .object({ data: z.object({ proxy_wallet: wallet(), value: usd() }) })
  .transform(({ data }) => ({ wallet: data.proxy_wallet, valueUsd: data.value }))

/** How a market was resolved on the chain. */
export const Resolution = z
  .object({
    condition_id: conditionId(),
    status: z.string().regex(/^[a-z_]{1,40}$/, 'expected a status'),
    was_disputed: maybeFlag(),
    // Of a dollar, in millionths, by the index of the outcome.
    payouts: wireArray(wireNumber({ min: 0, max: 1_000_000 }), MAX_OUTCOMES).nullish(),
    resolved_at: maybeTime(),
    last_update_timestamp: maybeTime(),
  })
  .transform((wire) => ({
    conditionId: wire.condition_id,
    status: wire.status,
    wasDisputed: wire.was_disputed,
    payoutsE6: wire.payouts ?? undefined,
    resolvedAtMs: wire.resolved_at,
    updatedAtMs: wire.last_update_timestamp,
  }))
export type Resolution = z.output<typeof Resolution>
export const ResolutionsReply = pageOf(Resolution).transform(({ rows }) => rows)

/** How far what is served lies behind the chain. */
export const StatusReply = z
  .object({
    data: z.object({
      computed_at: wireTime(),
      age_seconds: maybeNumber({ min: 0, max: MAX_AGE_S }),
      serving: z.object({ lag_seconds: wireNumber({ min: 0, max: MAX_AGE_S }) }),
    }),
  })
  .transform(({ data }) => ({
    computedAtMs: data.computed_at,
    ageS: data.age_seconds,
    lagS: data.serving.lag_seconds,
  }))

/** Positions carry prices and money of this shape. */
export const positionMoney = {
  avg_price: maybeUsd(),
  entry_cost_usdc: maybeUsd(),
  entry_fees_usdc: maybeUsd(),
  current_price: maybePrice(),
  current_value: maybeUsd(),
}
