import { z } from 'zod'
import { maybeMillionths, wireMillionths, wireUnits } from '../../wire/amount.ts'
import { wireArray, wireText } from '../../wire/text.ts'
import { maybeTime, wireTime } from '../../wire/time.ts'
import { conditionId, cursor, maybeId, side, title, tokenId, tradedPrice, wallet } from '../venue-fields.ts'

// What the exchange answers to those who trade. Shares and dollars are counted in millionths (E6).

const MAX_ROWS = 10_000
const MAX_HASHES = 1_000
const MAX_ID_CHARS = 200
const MAX_STATUS_CHARS = 300
const MAX_ALLOWANCES = 50

/** Of an order, a trade or a transaction. */
export const id = () => wireText(MAX_ID_CHARS, 1)
/** `LIVE`, `MATCHED`, `CONFIRMED` …; the venue adds some. */
const status = () => z.string().regex(/^[A-Za-z_]{1,40}$/, 'expected a status')
/** Of an order: also `CANCELED_` and a reason in words. */
const orderStatus = () => wireText(MAX_STATUS_CHARS, 1)
const ids = () => wireArray(id(), MAX_HASHES).nullish()

/** The reply to an order that was sent: what became of it at once. */
export type PostedOrder =
  | { isAccepted: false; reason: string }
  | {
      isAccepted: true
      orderId: string
      /** `delayed`: it is held back before it takes, and cannot be cancelled meanwhile. */
      status: 'matched' | 'live' | 'delayed' | 'unmatched'
      /** What the account gives and gets so far; undefined where the exchange does not say. */
      makingE6: bigint | undefined
      takingE6: bigint | undefined
      transactionHashes: readonly string[]
      tradeIds: readonly string[]
    }

const Accepted = z.object({
  orderID: id(),
  status: z.enum(['matched', 'live', 'delayed', 'unmatched']),
  makingAmount: maybeMillionths(),
  takingAmount: maybeMillionths(),
  transactionsHashes: ids(),
  tradeIDs: ids(),
})

const Refused = z.object({ success: z.literal(false), errorMsg: title().nullish() })

export const PostOrderReply = z.discriminatedUnion('success', [
  Accepted.extend({ success: z.literal(true) }).transform(
    (wire): PostedOrder => ({
      isAccepted: true,
      orderId: wire.orderID,
      status: wire.status,
      makingE6: wire.makingAmount,
      takingE6: wire.takingAmount,
      transactionHashes: wire.transactionsHashes ?? [],
      tradeIds: wire.tradeIDs ?? [],
    }),
  ),
  Refused.transform(
    ({ errorMsg }): PostedOrder => ({ isAccepted: false, reason: errorMsg || 'no reason given' }),
  ),
])

/** `/balance-allowance`: what the wallet holds, and what each contract may take of it. */
export const BalanceReply = z
  .object({
    balance: wireUnits(),
    allowances: z
      .record(wallet(), wireUnits())
      .refine((byContract) => Object.keys(byContract).length <= MAX_ALLOWANCES, 'too many allowances'),
  })
  .transform(({ balance, allowances }) => ({ balance, allowances: new Map(Object.entries(allowances)) }))

/** A market order that spends dollars below its limit gets more shares than it asked for. */
export const OpenOrder = z
  .object({
    id: id(),
    status: orderStatus(),
    market: conditionId(),
    asset_id: tokenId(),
    side: side(),
    price: tradedPrice(),
    original_size: wireMillionths(),
    size_matched: wireMillionths(),
    outcome: title(),
    maker_address: wallet(),
    order_type: status(),
    created_at: wireTime(),
    expiration: maybeTime(),
  })
  .transform((wire) => ({
    orderId: wire.id,
    status: wire.status,
    conditionId: wire.market,
    tokenId: wire.asset_id,
    side: wire.side,
    price: wire.price,
    sharesE6: wire.original_size,
    matchedE6: wire.size_matched,
    outcome: wire.outcome,
    wallet: wire.maker_address,
    orderType: wire.order_type,
    createdAtMs: wire.created_at,
    expiresAtMs: wire.expiration,
  }))
export type OpenOrder = z.output<typeof OpenOrder>

const MakerOrder = z
  .object({
    order_id: id(),
    maker_address: wallet(),
    matched_amount: wireMillionths(),
    price: tradedPrice(),
    asset_id: tokenId(),
    outcome: title(),
    side: side().nullish(),
  })
  .transform((wire) => ({
    orderId: wire.order_id,
    wallet: wire.maker_address,
    sharesE6: wire.matched_amount,
    price: wire.price,
    tokenId: wire.asset_id,
    outcome: wire.outcome,
    side: wire.side ?? undefined,
  }))

export const userTradeFields = {
  id: id(),
  taker_order_id: id(),
  market: conditionId(),
  asset_id: tokenId(),
  side: side(),
  size: wireMillionths(),
  price: tradedPrice(),
  status: status(),
  match_time: wireTime(),
  last_update: maybeTime(),
  outcome: title(),
  trader_side: z.enum(['TAKER', 'MAKER']),
  maker_address: wallet(),
  maker_orders: wireArray(MakerOrder, MAX_ROWS),
  transaction_hash: maybeId(),
}

const UserTradeWire = z.object(userTradeFields)
export const UserTrade = UserTradeWire.transform(toUserTrade)

/** A trade that the account had a part in: as taker with all of it, as maker with some of `makerOrders`. */
export function toUserTrade(wire: z.output<typeof UserTradeWire>) {
  return {
    tradeId: wire.id,
    takerOrderId: wire.taker_order_id,
    conditionId: wire.market,
    tokenId: wire.asset_id,
    side: wire.side,
    sharesE6: wire.size,
    price: wire.price,
    status: wire.status,
    matchedAtMs: wire.match_time,
    updatedAtMs: wire.last_update,
    outcome: wire.outcome,
    role: wire.trader_side,
    wallet: wire.maker_address,
    makerOrders: wire.maker_orders,
    transactionHash: wire.transaction_hash,
  }
}
export type UserTrade = z.output<typeof UserTrade>

/** How the exchange says that there is no further page. */
export const LAST_CURSOR = 'LTE='
const page = <Row extends z.ZodType>(row: Row) =>
  z.object({ data: wireArray(row, MAX_ROWS), next_cursor: cursor() }).transform(({ data, next_cursor }) => ({
    rows: data,
    nextCursor: next_cursor === LAST_CURSOR ? undefined : next_cursor,
  }))

export const OpenOrdersReply = page(OpenOrder)
export const UserTradesReply = page(UserTrade)
