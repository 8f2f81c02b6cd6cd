import type { Address } from 'viem'
import type { Secret } from '../../../core/secret.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { OrderSide } from './exchange-order.ts'
import type { OrderKind, OrderSize } from './order-amounts.ts'

export type TradingInput = {
  clobUrl: string
  /** `0x` and 64 hex digits: the key of the deposit wallet's owner. */
  ownerKey: Secret
  depositWallet: Address
  clock: Clock
  /** An account without an API key gets none: everything then rejects as the venue refuses it. */
  makesNoKey?: boolean
}

/** Prices in ten-thousandths, amounts in millionths. */
export type TradeOrder = {
  /** Repeated with the same terms and time, it is the same order, which the venue takes once. */
  clientOrderId: string
  /** Part of what is signed: it is kept with the id. */
  createdMs: number
  tokenId: string
  side: OrderSide
  kind: OrderKind
  priceE4: number
  /** The market's at this moment; a price between two ticks is not sent. Not signed: another tick is no other order. */
  tickE4: number
  size: OrderSize
  postOnly?: boolean
  /** Of a GTD order. */
  expiresS?: number
}

export type OrderView = {
  orderId: string
  state: 'live' | 'delayed' | 'matched' | 'canceled' | 'unmatched' | 'other'
  tokenId: string
  conditionId: string
  side: OrderSide
  price: number
  sharesE6: bigint
  matchedE6: bigint
}

export type TradeView = {
  tradeId: string
  orderId: string
  role: 'TAKER' | 'MAKER'
  conditionId: string
  tokenId: string
  side: OrderSide
  /** Of all of it; an average where there were several makers. */
  price: number
  sharesE6: bigint
  /** As a taker: what each maker gave, at the price of our token. */
  makers?: readonly { price: number; sharesE6: bigint }[]
  /** `MATCHED`, `MINED`, `RETRYING`, `CONFIRMED`; `FAILED`: nothing moved. The venue may add some. */
  status: string
  transactionHash: string | undefined
  matchedAtMs: number
}

/**
 * What became of an order. `refused`: the venue did not take this try. `unknown`: it may have; `order(orderId)` tells
 * later, and placing it again cannot double it. A repeat that is refused says nothing about the try before it.
 */
export type Placement =
  | {
      state: 'live' | 'delayed' | 'matched' | 'unmatched' | 'canceled' | 'other'
      orderId: string
      /** What we give and get so far; undefined where the venue does not say. */
      makingE6: bigint | undefined
      takingE6: bigint | undefined
      tradeIds: readonly string[]
      transactionHashes: readonly string[]
    }
  | { state: 'refused'; orderId: string; fault: string; reason: string; retryAfterMs: number | undefined }
  | { state: 'unknown'; orderId: string; reason: string }

/** Orders of one deposit wallet at Polymarket. Rejects with a `TradingError`; `place` only where no order was sent. */
export type Trading = {
  /** Derives the API key, or makes it, and has the venue look at the wallet's money. */
  connect(): Promise<void>
  /** The id that `place` gives the order, without asking the venue. Rejects with a `RangeError` as `place` does. */
  orderIdOf(order: TradeOrder): Promise<string>
  place(order: TradeOrder): Promise<Placement>
  /** False where it is no longer there, or cannot be canceled now. */
  cancel(orderId: string): Promise<boolean>
  /** Undefined where the venue knows no such order. */
  order(orderId: string): Promise<OrderView | undefined>
  openOrders(): Promise<readonly OrderView[]>
  /** Of one market where it is named. */
  trades(sinceMs: number, conditionId?: string): Promise<readonly TradeView[]>
  balance(): Promise<{ collateralE6: bigint; allowanceE6: bigint }>
  /** After the venue has looked again. */
  sharesE6(tokenId: string): Promise<bigint>
  serverTimeMs(): Promise<number>
}
