import { z } from 'zod'
import { COINS } from '../../core/coin.ts'
import { RecordId } from '../fields.ts'
import { type CoinMarket, Purchase } from './window-fields.ts'

export const Opportunity = z.object({
  coin: z.enum(COINS),
  side: z.enum(['UP', 'DOWN']),
  slug: z.string(),
  token_id: z.string(),
  seconds_remaining: z.int().min(0),
  probability: z.number().min(0).max(1),
  edge: z.number().positive().describe('Per share: probability less price_after_fees'),
  ...Purchase.shape,
  abstain: z.boolean().describe('True when our probability is indistinguishable from a coin flip'),
  record_id: RecordId.nullable(),
})

/** Sides that cost less than we think they are worth, the largest edge first; of equal ones in the order of the coins. */
export function opportunitiesIn(markets: readonly CoinMarket[]): z.input<typeof Opportunity>[] {
  return markets
    .flatMap((market) => [sideOf(market, 'UP'), sideOf(market, 'DOWN')])
    .filter((side) => side !== undefined)
    .sort((a, b) => b.edge - a.edge)
}

function sideOf(market: CoinMarket, side: 'UP' | 'DOWN'): z.input<typeof Opportunity> | undefined {
  const { coin, slug, seconds_remaining, abstain, record_id } = market
  const { token_id, probability, edge, buy } = side === 'UP' ? market.up : market.down
  if (edge === null || edge <= 0 || !buy) return undefined
  return { coin, side, slug, token_id, seconds_remaining, probability, edge, ...buy, abstain, record_id }
}
