import { z } from 'zod'
import type { Level } from '../../../core/level.ts'
import { wireArray } from '../../wire/text.ts'
import { wireTime } from '../../wire/time.ts'
import { orUnknown } from '../../wire/unknown.ts'
import type { TokenBook } from '../token-book.ts'
import {
  conditionId,
  maybeId,
  maybePrice,
  maybeShares,
  maybeTickSize,
  shares,
  tokenId,
  tradedPrice,
} from '../venue-fields.ts'

/** Every price that the finest tick allows. */
const MAX_LEVELS = 10_000

const level = z.object({ price: tradedPrice(), size: shares() })

/** A book as the CLOB and its socket send it, worst price first; a single bad level refuses all of it. */
export const Book = z
  .object({
    market: conditionId(),
    asset_id: tokenId(),
    timestamp: wireTime(),
    hash: orUnknown(maybeId()),
    bids: wireArray(level, MAX_LEVELS),
    asks: wireArray(level, MAX_LEVELS),
    tick_size: maybeTickSize(),
    min_order_size: maybeShares(),
    last_trade_price: orUnknown(maybePrice()),
  })
  .transform((wire, { issues }): TokenBook => {
    // Sorted here: the best price stands last by custom, not by contract.
    const bids = toLevels(wire.bids).sort(([a], [b]) => b - a)
    const asks = toLevels(wire.asks).sort(([a], [b]) => a - b)
    for (const levels of [bids, asks]) {
      const reason = findFault(levels)
      if (reason !== undefined) issues.push({ code: 'custom', message: reason, input: undefined })
    }
    return {
      tokenId: wire.asset_id,
      conditionId: wire.market,
      bids,
      asks,
      tickSize: wire.tick_size,
      minOrderSize: wire.min_order_size,
      // Nothing is traded at 0 or 1: the venue writes 0 before the first trade.
      lastTradePrice: wire.last_trade_price || undefined,
      hash: wire.hash,
      atMs: wire.timestamp,
    }
  })

const toLevels = (rows: readonly { price: number; size: number }[]): Level[] =>
  rows.map(({ price, size }) => [price, size])

function findFault(levels: readonly Level[]): string | undefined {
  if (levels.some(([, size]) => size === 0)) return 'a level without size'
  return levels.some(([price], index) => price === levels[index - 1]?.[0]) ? 'a price twice' : undefined
}
