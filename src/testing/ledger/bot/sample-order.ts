import type {
  DecisionRow,
  FillRow,
  OrderRow,
  PlannedOrder,
  TradeRow,
} from '../../../ledger/ports/bot-book.ts'

export const sampleOrder = (clientOrderId: string, given: Partial<PlannedOrder> = {}): PlannedOrder => ({
  clientOrderId,
  broker: 'paper',
  origin: 'round',
  by: 'bot',
  coin: 'BTC',
  windowStartS: 300,
  conditionId: 'market 1',
  tokenId: '11',
  outcome: 'UP',
  side: 'BUY',
  priceE4: 5_200,
  tickE4: 100,
  spendE6: 5_000_000n,
  sharesE6: undefined,
  maxFeeE6: 90_000n,
  fee: { rate: 0.07, exponent: 1 },
  createdMs: 1_000,
  ...given,
})

export const sampleSale = (clientOrderId: string, given: Partial<PlannedOrder> = {}): PlannedOrder =>
  sampleOrder(clientOrderId, { side: 'SELL', spendE6: undefined, sharesE6: 1_000_000n, ...given })

export const sampleFill = (tradeId: string, given: Partial<FillRow> = {}): FillRow => ({
  tradeId,
  state: 'matched',
  priceE6: 520_000n,
  sharesE6: 2_000_000n,
  notionalE6: 1_040_000n,
  feeE6: 34_944n,
  atMs: 2_000,
  transactionHash: undefined,
  ...given,
})

export const sampleDecision = (given: Partial<DecisionRow> = {}): DecisionRow => ({
  windowStartS: 300,
  coin: 'BTC',
  attempt: 1,
  atMs: 900,
  broker: 'paper',
  action: 'buy',
  reason: 'edge',
  facts: '{"edge":0.04}',
  ...given,
})

/** Wins by default, and adds up whatever is given. */
export function sampleTrade(given: Partial<TradeRow> = {}): TradeRow {
  const { costE6 = 1_040_000n, feesE6 = 34_944n, collectedE6 = 2_000_000n } = given
  const profitE6 = collectedE6 - costE6 - feesE6
  return {
    broker: 'paper',
    conditionId: 'market 1',
    coin: 'BTC',
    windowStartS: 300,
    direction: 'UP',
    outcome: 'UP',
    origin: 'round',
    confidence: 0.61,
    boughtSharesE6: 2_000_000n,
    costE6,
    feesE6,
    collectedE6,
    profitE6,
    roundProfitE6: profitE6,
    openedMs: 2_000,
    resolvedMs: 9_000,
    breakerSeq: 0,
    ...given,
  }
}

/** The row of an order to which nothing has happened yet. */
export const asPlanned = (order: PlannedOrder, seq: number): OrderRow => ({
  ...order,
  seq,
  state: 'open',
  orderId: undefined,
  acceptedMs: undefined,
  closedMs: undefined,
  note: undefined,
  fills: [],
})
