import { z } from 'zod'
import { findFiveMinuteSlug } from '../../market/prediction/five-minute-slug.ts'
import type { ShownMarket } from './shown-list.ts'

const MOVERS_SHOWN = 10
/** Moves of a market that nobody trades say nothing. */
const MOVER_MIN_VOLUME_USD = 100

export const Mover = z.object({
  slug: z.string(),
  question: z.string(),
  category: z.string(),
  price_change_24h: z.number().min(-1).max(1).describe('In price: 0.05 is five cents'),
  direction: z.enum(['up', 'down']),
  last_trade_price: z.number().min(0).max(1).nullable(),
  volume_24h_usd: z.number().min(0),
})

/** The largest changes first, of equal ones by slug. A five-minute window goes to 0 or 1 by its nature. */
export function moversIn(markets: readonly ShownMarket[]): z.input<typeof Mover>[] {
  return markets
    .flatMap((market) => toMover(market) ?? [])
    .sort(
      (a, b) =>
        Math.abs(b.price_change_24h) - Math.abs(a.price_change_24h) ||
        (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0),
    )
    .slice(0, MOVERS_SHOWN)
}

function toMover({ fields }: ShownMarket): z.input<typeof Mover> | undefined {
  const { slug, question, category, last_trade_price, price_change_24h, volume_24h_usd } = fields
  if (findFiveMinuteSlug(slug)) return undefined
  if (!price_change_24h || volume_24h_usd === null || volume_24h_usd < MOVER_MIN_VOLUME_USD) return undefined
  const direction = price_change_24h > 0 ? 'up' : 'down'
  return { slug, question, category, price_change_24h, direction, last_trade_price, volume_24h_usd }
}
