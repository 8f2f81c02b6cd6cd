import type { FillRow, OrderRow, PlannedOrder, TradeRow } from '../../ledger/ports/bot-book.ts'

/** A closed purchase of UP without fills, and what a test wants otherwise. */
export function sampleOrder(given: Partial<OrderRow> = {}): OrderRow {
  return {
    clientOrderId: 'r-1767614400-BTC-1',
    broker: 'paper',
    origin: 'round',
    by: 'bot',
    coin: 'BTC',
    windowStartS: 1_767_614_400,
    conditionId: '0x1',
    tokenId: given.outcome === 'DOWN' ? '2' : '1',
    outcome: 'UP',
    side: 'BUY',
    priceE4: 5_000,
    tickE4: 100,
    spendE6: given.side === 'SELL' ? undefined : 5_000_000n,
    sharesE6: undefined,
    maxFeeE6: 350_000n,
    fee: { rate: 0.07, exponent: 1 },
    createdMs: 1_767_614_410_000,
    seq: 1,
    state: 'closed',
    orderId: '0xorder',
    acceptedMs: undefined,
    closedMs: 1_767_614_411_000,
    note: undefined,
    fills: [],
    ...given,
  }
}

/** The same before it was planned. */
export function samplePlan(given: Partial<PlannedOrder> = {}): PlannedOrder {
  const { seq, state, orderId, acceptedMs, closedMs, note, fills, ...planned } = sampleOrder(given)
  return planned
}

export const sampleFill = (given: Partial<FillRow> = {}): FillRow => ({
  tradeId: 't1',
  state: 'confirmed',
  priceE6: 500_000n,
  sharesE6: 10_000_000n,
  notionalE6: 5_000_000n,
  feeE6: 175_000n,
  atMs: 1_767_614_411_000,
  transactionHash: undefined,
  ...given,
})

/** A trade of the round that lost five dollars. */
export const sampleTrade = (given: Partial<TradeRow> = {}): TradeRow => ({
  broker: 'paper',
  conditionId: '0x1',
  coin: 'BTC',
  windowStartS: 1_767_614_400,
  direction: 'UP',
  outcome: 'DOWN',
  origin: 'round',
  confidence: 0.6,
  boughtSharesE6: 10_000_000n,
  costE6: 4_825_000n,
  feesE6: 175_000n,
  collectedE6: 0n,
  profitE6: -5_000_000n,
  roundProfitE6: -5_000_000n,
  openedMs: 1_767_614_411_000,
  resolvedMs: 1_767_614_760_000,
  breakerSeq: 0,
  ...given,
})
