import { z } from 'zod'
import { conditionIdPart } from '../../rules/path-parts.ts'
import { wireMillionths } from '../../wire/amount.ts'
import { maybeTime, wireTime } from '../../wire/time.ts'
import { id, toUserTrade, userTradeFields } from '../clob/order-wire.ts'
import { conditionId, side, title, tokenId, tradedPrice } from '../venue-fields.ts'
import { type MalformedEvent, readFrame, type UnknownEvent } from './wire.ts'

// The user channel of the venue's socket: what becomes of the account's own orders.

export type ClobKeys = { apiKey: string; secret: string; passphrase: string }

const OrderEvent = z
  .object({
    id: id(),
    type: z.enum(['PLACEMENT', 'UPDATE', 'CANCELLATION']),
    market: conditionId(),
    asset_id: tokenId(),
    side: side(),
    price: tradedPrice(),
    original_size: wireMillionths(),
    size_matched: wireMillionths(),
    outcome: title(),
    created_at: maybeTime(),
    expiration: maybeTime(),
    timestamp: wireTime(),
  })
  .transform((wire) => ({
    type: 'order' as const,
    change: wire.type,
    orderId: wire.id,
    conditionId: wire.market,
    tokenId: wire.asset_id,
    side: wire.side,
    price: wire.price,
    sharesE6: wire.original_size,
    matchedE6: wire.size_matched,
    outcome: wire.outcome,
    createdAtMs: wire.created_at,
    expiresAtMs: wire.expiration,
    atMs: wire.timestamp,
  }))

/** The time of a trade's frame is in seconds or in milliseconds. */
const TradeEvent = z
  .object({ ...userTradeFields, timestamp: wireTime() })
  .transform(({ timestamp, ...trade }) => ({
    type: 'trade' as const,
    trade: toUserTrade(trade),
    atMs: timestamp,
  }))

const USER_EVENTS = { order: OrderEvent, trade: TradeEvent } as const

export type UserEvent =
  | z.output<typeof OrderEvent>
  | z.output<typeof TradeEvent>
  | MalformedEvent
  | UnknownEvent
  | { type: 'pong' }

/** Everything that a frame says, in its order. Never throws. */
export const readUserFrame = (text: string): readonly UserEvent[] => readFrame(text, USER_EVENTS)

/** The first frame of a connection; without markets it is about all of them. It holds secrets: not for a log. */
export const subscribeUserFrame = (auth: ClobKeys, conditionIds: readonly string[] = []): string =>
  JSON.stringify({ auth, type: 'user', markets: conditionIds.map(conditionIdPart) })
