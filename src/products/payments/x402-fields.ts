import { z } from 'zod'
import { MODES } from '../../config/variables/variable.ts'
import { toAtomic, toUsdNumber, type Usd } from '../../core/money.ts'
import { DAY_MS } from '../../core/time/time.ts'
import { isoTime } from '../fields.ts'

/** Money twice: a number to read, and exact millionths to add up. */
export const Revenue = z.object({
  settlements: z.int().min(0),
  revenue_usdc: z.number().min(0),
  revenue_atomic: z.string().regex(/^\d+$/).describe('The same in millionths of a USDC, exact'),
})
export type Revenue = z.input<typeof Revenue>

export function toRevenue({ count, revenue }: { count: number; revenue: Usd }): Revenue {
  return { settlements: count, revenue_usdc: toUsdNumber(revenue), revenue_atomic: toAtomic(revenue) }
}

/** Revenue of play money never passes for another. */
export const OfMode = z.enum(MODES).describe('Only live is real money')

export const Day = z.iso.date()
/** UTC day number since the epoch to its date. */
export const toDate = (day: number): string => isoTime(day * DAY_MS).slice(0, 10)

export const OptionalTime = z.iso.datetime().nullable()
export const toOptionalTime = (ms: number | undefined): string | null =>
  ms === undefined ? null : isoTime(ms)
