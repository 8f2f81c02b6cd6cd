import type { LevelChange, VenueBook, VenueFill, VenueMarket } from '../../../prediction/venue.ts'
import { amountText, priceText } from '../number-text.ts'
import { hashOf, toWireBook } from '../wire-book.ts'

/** The frames of the market channel. */
export function bookFrame(market: VenueMarket, book: VenueBook) {
  const { asset_id, timestamp, hash, bids, asks, tick_size, last_trade_price } = toWireBook(market, book)
  const id = { event_type: 'book', asset_id, market: market.conditionId }
  return { ...id, timestamp, hash, bids, asks, tick_size, last_trade_price }
}

/** Every change of a frame carries the hash and the best prices of its token's book after the whole frame. */
export function priceChangeFrame(
  market: VenueMarket,
  changed: readonly { book: VenueBook; changes: readonly LevelChange[] }[],
) {
  const price_changes = changed.flatMap(({ book, changes }) => {
    const after = { hash: hashOf(market, book), ...bestPrices(book) }
    return changes.map(({ side, priceE4, sharesE6 }) => ({
      asset_id: book.tokenId,
      price: priceText(priceE4),
      size: amountText(sharesE6),
      side,
      ...after,
    }))
  })
  const atMs = Math.max(...changed.map(({ book }) => book.atMs))
  return { market: market.conditionId, price_changes, timestamp: String(atMs), event_type: 'price_change' }
}

function bestPrices({ bids, asks }: VenueBook) {
  return { best_bid: priceText(bids[0]?.[0] ?? 0), best_ask: priceText(asks[0]?.[0] ?? 10_000) }
}

/** Zeros where a side is empty. */
export function bestBidAskFrame(market: VenueMarket, { tokenId, bids, asks, atMs }: VenueBook) {
  const [bid, ask] = [bids[0]?.[0], asks[0]?.[0]]
  return {
    market: market.conditionId,
    asset_id: tokenId,
    best_bid: priceText(bid ?? 0),
    best_ask: priceText(ask ?? 0),
    spread: priceText(bid === undefined || ask === undefined ? 0 : ask - bid),
    timestamp: String(atMs),
    event_type: 'best_bid_ask',
  }
}

export function lastTradeFrame(market: VenueMarket, fill: VenueFill) {
  return {
    event_type: 'last_trade_price',
    asset_id: fill.tokenId,
    fee_rate_bps: '0',
    market: market.conditionId,
    price: priceText(fill.priceE4),
    size: amountText(fill.sharesE6),
    side: fill.side,
    timestamp: String(fill.atMs),
    transaction_hash: `0x${Buffer.from(fill.id).toString('hex').padStart(64, '0').slice(-64)}`,
  }
}

export function tickSizeFrame(
  market: VenueMarket,
  tokenId: string,
  tick: { oldE4: number; newE4: number; atMs: number },
) {
  return {
    event_type: 'tick_size_change',
    asset_id: tokenId,
    market: market.conditionId,
    old_tick_size: priceText(tick.oldE4),
    new_tick_size: priceText(tick.newE4),
    timestamp: String(tick.atMs),
  }
}

export function resolvedFrame(market: VenueMarket, atMs: number) {
  const winner = market.winner ?? 0
  return {
    id: market.id,
    market: market.conditionId,
    assets_ids: market.tokenIds,
    winning_asset_id: market.tokenIds[winner],
    winning_outcome: market.outcomes[winner],
    timestamp: String(atMs),
    event_type: 'market_resolved',
    tags: market.tags,
  }
}
