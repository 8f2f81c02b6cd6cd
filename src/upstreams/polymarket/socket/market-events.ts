import { z } from 'zod'
import { wireArray } from '../../wire/text.ts'
import { wireTime } from '../../wire/time.ts'
import { Book } from '../clob/book-wire.ts'
import {
  conditionId,
  maybeId,
  maybePrice,
  maybeTickSize,
  shares,
  side,
  slug,
  tickSize,
  title,
  tokenId,
  tradedPrice,
  words,
} from '../venue-fields.ts'

/** Changes that one frame may carry; a sweep through a whole book is some hundreds. */
const MAX_CHANGES = 20_000
const MAX_OUTCOMES = 100

/** No bid is 0 and no ask is 1; the venue writes 0 for both. Undefined: the frame does not say. */
const bestBid = maybePrice
const bestAsk = () => maybePrice().transform((price) => (price === 0 ? 1 : price))

const PriceChange = z
  .object({
    asset_id: tokenId(),
    side: side(),
    price: tradedPrice(),
    // The new size at this price; 0 when the price is gone.
    size: shares(),
    hash: maybeId(),
    best_bid: bestBid(),
    best_ask: bestAsk(),
  })
  .transform(({ asset_id, best_bid, best_ask, ...rest }) => ({
    tokenId: asset_id,
    ...rest,
    bestBid: best_bid,
    bestAsk: best_ask,
  }))

const head = { market: conditionId(), timestamp: wireTime() }
const ofToken = { ...head, asset_id: tokenId() }

/** What the market channel says, by `event_type`. */
export const MARKET_EVENTS = {
  book: Book.transform((book) => ({ type: 'book' as const, book })),
  price_change: z
    .object({ ...head, price_changes: wireArray(PriceChange, MAX_CHANGES, 1) })
    .transform(({ market, timestamp, price_changes }) => ({
      type: 'price_change' as const,
      conditionId: market,
      changes: price_changes,
      atMs: timestamp,
    })),
  tick_size_change: z
    .object({ ...ofToken, old_tick_size: maybeTickSize(), new_tick_size: tickSize() })
    .transform(({ market, asset_id, timestamp, old_tick_size, new_tick_size }) => ({
      type: 'tick_size_change' as const,
      conditionId: market,
      tokenId: asset_id,
      oldTickSize: old_tick_size,
      newTickSize: new_tick_size,
      atMs: timestamp,
    })),
  last_trade_price: z
    .object({ ...ofToken, price: tradedPrice(), size: shares(), side: side(), transaction_hash: maybeId() })
    .transform(({ market, asset_id, timestamp, transaction_hash, ...trade }) => ({
      type: 'last_trade_price' as const,
      conditionId: market,
      tokenId: asset_id,
      ...trade,
      transactionHash: transaction_hash,
      atMs: timestamp,
    })),
  best_bid_ask: z
    .object({ ...ofToken, best_bid: bestBid(), best_ask: bestAsk() })
    .transform(({ market, asset_id, timestamp, best_bid, best_ask }) => ({
      type: 'best_bid_ask' as const,
      conditionId: market,
      tokenId: asset_id,
      bestBid: best_bid,
      bestAsk: best_ask,
      atMs: timestamp,
    })),
  new_market: z
    .object({
      ...head,
      slug: slug(),
      question: words(),
      assets_ids: wireArray(tokenId(), MAX_OUTCOMES),
      outcomes: wireArray(title(), MAX_OUTCOMES),
      order_price_min_tick_size: maybeTickSize(),
    })
    .refine(({ assets_ids, outcomes }) => assets_ids.length === outcomes.length, 'a token without a label')
    .transform(({ market, timestamp, slug, question, assets_ids, outcomes, order_price_min_tick_size }) => ({
      type: 'new_market' as const,
      conditionId: market,
      slug,
      question,
      outcomes: assets_ids.map((tokenId, index) => ({ tokenId, label: outcomes[index] ?? '' })),
      tickSize: order_price_min_tick_size,
      atMs: timestamp,
    })),
  market_resolved: z
    .object({
      ...head,
      assets_ids: wireArray(tokenId(), MAX_OUTCOMES),
      winning_asset_id: tokenId(),
      winning_outcome: title(),
    })
    .refine(
      ({ assets_ids, winning_asset_id }) => assets_ids.includes(winning_asset_id),
      'a winner of another market',
    )
    .transform(({ market, timestamp, assets_ids, winning_asset_id, winning_outcome }) => ({
      type: 'market_resolved' as const,
      conditionId: market,
      tokenIds: assets_ids,
      winner: { tokenId: winning_asset_id, label: winning_outcome },
      atMs: timestamp,
    })),
} as const

export type MarketEvent = z.output<(typeof MARKET_EVENTS)[keyof typeof MARKET_EVENTS]>
