import type { Address } from 'viem'
import type { Secret } from '../../../core/secret.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { OrderSide } from './exchange-order.ts'
import type { OrderSize } from './order-amounts.ts'
import { TradingError } from './trading-error.ts'

export type TradingInput = {
  clobUrl: string
  /** `0x` and 64 hex digits: the key of the deposit wallet's owner. */
  ownerKey: Secret
  depositWallet: Address
  clock: Clock
}

/** Prices in ten-thousandths, amounts in millionths. */
export type TradeOrder = {
  /** Repeated with the same terms and time, it is the same order, which the venue takes once. */
  clientOrderId: string
  /** Part of what is signed: it is kept with the id. */
  createdMs: number
  tokenId: string
  side: OrderSide
  kind: 'GTC' | 'GTD' | 'FOK' | 'FAK'
  priceE4: number
  /** The market's at this moment; orders of an old one are refused. */
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
  priceE4: number
  shares: bigint
  matched: bigint
  tradeIds: readonly string[]
}

export type TradeView = {
  id: string
  orderId: string
  role: 'TAKER' | 'MAKER'
  conditionId: string
  tokenId: string
  side: OrderSide
  priceE4: number
  shares: bigint
  /** `FAILED`: nothing moved. */
  status: string
  transactionHash: string | undefined
  matchedS: number
}

/**
 * What became of an order. `refused`: the venue did not take it. `unknown`: it may have; `order(orderId)` tells later,
 * and placing it again cannot double it.
 */
export type Placement =
  | {
      state: 'live' | 'delayed' | 'matched' | 'unmatched' | 'canceled' | 'other'
      orderId: string
      making: bigint
      taking: bigint
      tradeIds: readonly string[]
      transactionHashes: readonly string[]
    }
  | { state: 'refused'; orderId: string; fault: string; reason: string; retryAfterMs: number | undefined }
  | { state: 'unknown'; orderId: string; reason: string }

/** Orders of one deposit wallet at Polymarket. Rejects with a `TradingError`; `place` only where nothing was sent. */
export type Trading = {
  /** Derives the API key, or makes it, and has the venue look at the wallet's money. */
  connect(): Promise<void>
  place(order: TradeOrder): Promise<Placement>
  /** False where it is no longer there, or cannot be canceled now. */
  cancel(orderId: string): Promise<boolean>
  /** Undefined where the venue knows no such order. */
  order(orderId: string): Promise<OrderView | undefined>
  openOrders(): Promise<readonly OrderView[]>
  trades(sinceMs: number): Promise<readonly TradeView[]>
  balance(): Promise<{ collateral: bigint; allowance: bigint }>
  shares(tokenId: string): Promise<bigint>
  serverTimeMs(): Promise<number>
}

/** The official client is loaded by the first call, so that a service that does not trade never does. */
export function createTrading(input: TradingInput): Trading {
  let opened: Promise<Trading> | undefined
  const forget = () => {
    opened = undefined
  }
  const withAccount = async <T>(work: (account: Trading) => Promise<T>): Promise<T> => {
    opened ??= import('./account.ts').then(({ openAccount }) => openAccount(input))
    opened.catch(forget)
    try {
      return await work(await opened)
    } catch (error) {
      // A key that is no longer taken, or a clock that ran away: the next call connects anew.
      if (error instanceof TradingError && error.fault === 'unauthorized') forget()
      throw error
    }
  }
  return {
    connect: () => withAccount((account) => account.connect()),
    place: (order) => withAccount((account) => account.place(order)),
    cancel: (orderId) => withAccount((account) => account.cancel(orderId)),
    order: (orderId) => withAccount((account) => account.order(orderId)),
    openOrders: () => withAccount((account) => account.openOrders()),
    trades: (sinceMs) => withAccount((account) => account.trades(sinceMs)),
    balance: () => withAccount((account) => account.balance()),
    shares: (tokenId) => withAccount((account) => account.shares(tokenId)),
    serverTimeMs: () => withAccount((account) => account.serverTimeMs()),
  }
}
