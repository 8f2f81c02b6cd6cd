import type { VenueMarket } from '../../../prediction/venue.ts'
import { describeEvent } from '../gamma/describe.ts'
import { priceText } from '../number-text.ts'

/** Tells everyone who asked for it that a market has been listed. */
export function newMarketFrame(market: VenueMarket, atMs: number) {
  const { id, title, description } = describeEvent(market)
  const slug = market.eventSlug
  return {
    id: market.id,
    question: market.question,
    market: market.conditionId,
    slug: market.slug,
    description,
    assets_ids: market.tokenIds,
    outcomes: market.outcomes,
    event_message: { id, ticker: slug, slug, title, description },
    timestamp: String(atMs),
    event_type: 'new_market',
    tags: market.tags,
    condition_id: market.conditionId,
    active: true,
    clob_token_ids: market.tokenIds,
    sports_market_type: '',
    line: '',
    game_start_time: '',
    order_price_min_tick_size: priceText(market.tickE4),
    group_item_title: '',
    taker_base_fee: '1000',
    fees_enabled: true,
    fee_schedule: { exponent: '1', rate: '0.07', taker_only: true, rebate_rate: '0.2' },
  }
}
