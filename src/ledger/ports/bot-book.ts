import type { Coin } from '../../core/coin.ts'
import type { Direction } from '../../signals/signal.ts'

/** Whose money an order moves: simulated money that we count ourselves, or an account at the venue. */
export type BrokerName = 'paper' | 'polymarket'
export type OrderSide = 'BUY' | 'SELL'
/**
 * Who wanted it: the round, the operator by hand, or `boss`: the round placed it because a boss signal forced its side, so
 * it is no part of the bot's record.
 */
export type Origin = 'round' | 'operator' | 'boss'

/** What the bot decided about a window and coin, and the numbers it saw, as JSON text. */
export type DecisionRow = {
  windowStartS: number
  coin: Coin
  /** From 1 on; a next one only after an order that took nothing. */
  attempt: number
  atMs: number
  broker: BrokerName
  action: 'buy' | 'none'
  /** What chose the side of a purchase, such as `fused`; else the rule that objected, such as `edge` or `breaker_open`. */
  reason: string
  facts: string
}

/** An order as it was planned, before anything was sent. Prices in ten-thousandths, amounts in millionths. */
export type PlannedOrder = {
  /** Unique for ever: the same one twice is one order. */
  clientOrderId: string
  broker: BrokerName
  origin: Origin
  /** Name of the operator's key; `bot` where the round placed it. */
  by: string
  coin: Coin
  windowStartS: number
  conditionId: string
  tokenId: string
  /** The outcome that the token pays for. */
  outcome: Direction
  side: OrderSide
  priceE4: number
  tickE4: number
  /** Exactly one is given: dollars of a purchase, shares of a sale. */
  spendE6: bigint | undefined
  sharesE6: bigint | undefined
  /** What a fee costs at most besides, so that what is at risk is known while the order is open. */
  maxFeeE6: bigint
  /** Taker fee of the market: rate and exponent; undefined: none. */
  fee: { rate: number; exponent: number } | undefined
  /** Part of what is signed. */
  createdMs: number
}

/** `failed`: the chain did not carry it out, nothing moved. */
export type FillState = 'matched' | 'confirmed' | 'failed'
export type FillRow = {
  tradeId: string
  state: FillState
  priceE6: bigint
  sharesE6: bigint
  /** Price times shares, rounded as the venue does it; without the fee. */
  notionalE6: bigint
  feeE6: bigint
  atMs: number
  transactionHash: string | undefined
}

/** `open`: it may have been sent and may still take something. `closed`: the venue says, or has shown, that it is over. */
export type OrderRow = PlannedOrder & {
  seq: number
  state: 'open' | 'closed'
  /** The venue's id; known once it was signed. */
  orderId: string | undefined
  /** When the venue said that it had taken it: from then on it cannot be that it never had it. */
  acceptedMs: number | undefined
  closedMs: number | undefined
  /** Why it was closed where that is not plain from the fills: a refusal, or that the venue never had it. */
  note: string | undefined
  fills: readonly FillRow[]
}

/** How a window ended, as the venue says. */
export type ResolutionRow = {
  coin: Coin
  windowStartS: number
  conditionId: string
  /** Of a window that pays both sides alike it is UP, as where the price has not moved; see the payout. */
  outcome: Direction
  /** What a share of UP pays, 1,000,000 or 0, or 500,000 where both pay alike; one of DOWN pays the rest. */
  payoutUpE6: bigint
  atMs: number
}

/** Turning winning shares into money. `planned`: it may have been sent. */
export type RedemptionRow = {
  broker: BrokerName
  conditionId: string
  state: 'planned' | 'done'
  sharesE6: bigint
  /** What was paid; 0 while planned. */
  amountE6: bigint
  transactionHash: string | undefined
  atMs: number
}

/** What all orders of one market brought under one broker, once its outcome is known. Fees are in it and stated. */
export type TradeRow = {
  broker: BrokerName
  conditionId: string
  coin: Coin
  windowStartS: number
  /** Of the side that most was spent on. */
  direction: Direction
  outcome: Direction
  /** `mixed`: orders of more than one origin took something. */
  origin: Origin | 'mixed'
  /** Our probability of the side that the round bought first; undefined where it bought nothing by itself. */
  confidence: number | undefined
  boughtSharesE6: bigint
  /** Without fees. */
  costE6: bigint
  feesE6: bigint
  /** Sales and the worth of winning shares, without fees. */
  collectedE6: bigint
  /** collected − cost − fees. */
  profitE6: bigint
  /**
   * What the round's own purchases bring held to the outcome, after their fees, whatever was bought or sold by hand: a
   * hand order must not change the record. Undefined where the round bought nothing.
   */
  roundProfitE6: bigint | undefined
  openedMs: number
  resolvedMs: number
  /** The newest breaker row when it was first settled, 0 without one: which reset it came after, whatever clocks say. */
  breakerSeq: number
}
export type Settlement = Omit<TradeRow, 'breakerSeq'>

export type ConfigRow = { version: number; atMs: number; by: string; text: string }
export type BreakerRow = { seq: number; atMs: number; kind: 'opened' | 'reset'; reason: string; by: string }
export type BossSignalRow = {
  seq: number
  atMs: number
  by: string
  direction: Direction
  coin: Coin
  reason: string | undefined
  /** The window it is for. */
  windowStartS: number
  usedMs: number | undefined
}

export type Page = { limit: number; offset: number }

/**
 * What the bot wanted, did and got. Rows are added and never removed; states only move forward. Every write is atomic
 * and durable when it resolves.
 */
export type BotBook = {
  /** One row for each window, coin and attempt: a second one is not written, and false comes back. */
  addDecision(decision: DecisionRow): Promise<boolean>
  /**
   * Writes the order, and with it the decision behind it and the use of a boss signal; all or nothing. False where the
   * client order id, or the decision, is there already, or the boss signal was used: nothing is written then.
   */
  planOrder(
    order: PlannedOrder,
    with_: { decision?: DecisionRow | undefined; bossSignal?: number | undefined },
  ): Promise<boolean>
  /** Before it is sent, where the broker knows the id beforehand. The same again changes nothing, another id rejects. */
  nameOrder(clientOrderId: string, orderId: string): Promise<void>
  /** The venue said that it has taken the order. The first time stays. */
  noteAccepted(clientOrderId: string, acceptedMs: number): Promise<void>
  /**
   * New fills, and fills whose state has moved on, also after the order was closed. A fill never goes back: `confirmed`
   * and `failed` are final, and its amounts are those of the first time.
   */
  putFills(clientOrderId: string, fills: readonly FillRow[]): Promise<void>
  /** Once; a later call changes nothing. */
  closeOrder(clientOrderId: string, closedMs: number, note?: string): Promise<void>
  findOrder(clientOrderId: string): Promise<OrderRow | undefined>
  openOrders(): Promise<readonly OrderRow[]>
  /** Of which the venue may still say something: open, or with a fill that may fail. Oldest first. */
  unfinishedOrders(): Promise<readonly OrderRow[]>
  /** True where an order of ours, of whatever age, was of this token. */
  hasOrdered(broker: BrokerName, conditionId: string, tokenId: string): Promise<boolean>
  /** Every order of a window and coin, oldest first. */
  ordersOf(coin: Coin, windowStartS: number): Promise<readonly OrderRow[]>
  /** Orders created at or after `sinceMs`, oldest first. */
  ordersSince(sinceMs: number): Promise<readonly OrderRow[]>
  /**
   * What is held, or may be: orders of markets that have no trade row yet, and in which an order is open or took
   * something. Oldest first.
   */
  unsettledOrders(): Promise<readonly OrderRow[]>

  /** The first one counts; false where there is one. */
  addResolution(row: ResolutionRow): Promise<boolean>
  findResolution(coin: Coin, windowStartS: number): Promise<ResolutionRow | undefined>
  /** Oldest first. */
  resolutionsSince(windowStartS: number): Promise<readonly ResolutionRow[]>
  /**
   * A market that is settled again (a fill that came late) replaces its row; `resolvedMs` and `breakerSeq` stay the
   * first ones. Another outcome, coin or window than before rejects. Gives the row as it is kept.
   */
  settle(trade: Settlement): Promise<TradeRow>
  findTrade(broker: BrokerName, conditionId: string): Promise<TradeRow | undefined>
  /** Of windows that started at or after it, oldest first. */
  tradesSince(windowStartS: number): Promise<readonly TradeRow[]>
  /** Newest window first. */
  trades(filter: { broker?: BrokerName | undefined }, page: Page): Promise<readonly TradeRow[]>
  countTrades(filter: { broker?: BrokerName | undefined }): Promise<number>
  /** Shares that pay something, of markets that are settled and not redeemed, oldest window first. */
  unredeemed(broker: BrokerName): Promise<readonly (TradeRow & { sharesE6: bigint })[]>
  /** The first plan stays. */
  planRedemption(row: Omit<RedemptionRow, 'state' | 'amountE6' | 'transactionHash'>): Promise<void>
  /** Once, planned before or not; false where it was done already, unless more was paid since: that replaces it. */
  redeemed(row: Omit<RedemptionRow, 'state'>): Promise<boolean>
  /** Oldest first. */
  redemptions(broker: BrokerName): Promise<readonly RedemptionRow[]>

  /** Newest first. */
  decisions(page: Page): Promise<readonly DecisionRow[]>
  /** By attempt. */
  decisionsOf(coin: Coin, windowStartS: number): Promise<readonly DecisionRow[]>

  /** The first version is 1. False where `version` is not the one after the newest: somebody else was faster. */
  addConfig(row: ConfigRow): Promise<boolean>
  /** Newest first. */
  configs(page: Page): Promise<readonly ConfigRow[]>
  /** Gives the number of the row: rows are told apart by it, not by their time. */
  addBreaker(row: Omit<BreakerRow, 'seq'>): Promise<number>
  /** Newest first. */
  breakerRows(limit: number): Promise<readonly BreakerRow[]>
  /** The newest one for a window and coin counts. */
  addBossSignal(row: Omit<BossSignalRow, 'seq' | 'usedMs'>): Promise<BossSignalRow>
  findBossSignal(coin: Coin, windowStartS: number): Promise<BossSignalRow | undefined>
  /** Newest first. */
  bossSignals(limit: number): Promise<readonly BossSignalRow[]>
}

/** What a book does with orders: every store has it in a file of its own. */
export type BotOrders = Pick<
  BotBook,
  | 'planOrder'
  | 'nameOrder'
  | 'noteAccepted'
  | 'putFills'
  | 'closeOrder'
  | 'findOrder'
  | 'openOrders'
  | 'unfinishedOrders'
  | 'hasOrdered'
  | 'ordersOf'
  | 'ordersSince'
  | 'unsettledOrders'
>
