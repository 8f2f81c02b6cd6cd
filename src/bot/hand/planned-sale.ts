import type { BrokerName, PlannedOrder } from '../../ledger/ports/bot-book.ts'
import { feeOf } from '../../market/prediction/fee.ts'
import type { FiveMinuteMarket } from '../../upstreams/polymarket/five-minute-market.ts'

/** A token of ours. `isMoving`: an order of it is open. */
export type Held = Pick<PlannedOrder, 'coin' | 'windowStartS' | 'conditionId' | 'tokenId' | 'outcome'> & {
  broker: BrokerName
  sharesE6: bigint
  isMoving: boolean
}
type Terms = Pick<PlannedOrder, 'clientOrderId' | 'by' | 'createdMs' | 'priceE4' | 'tickE4'> & {
  sharesE6: bigint
}

/** Where the fee of a share is largest. */
const HALF_E6 = 500_000n
/** The venue rounds the fee of each fill to five decimals; more fills than this have no order of a few dollars. */
const ROUNDING_E6 = 500n

export function plannedSale(held: Held, { fee }: Pick<FiveMinuteMarket, 'fee'>, terms: Terms): PlannedOrder {
  const { broker, coin, windowStartS, conditionId, tokenId, outcome } = held
  return {
    ...terms,
    broker,
    coin,
    windowStartS,
    conditionId,
    tokenId,
    outcome,
    origin: 'operator',
    side: 'SELL',
    spendE6: undefined,
    maxFeeE6: (feeOf(fee, HALF_E6, terms.sharesE6) ?? 0n) + ROUNDING_E6,
    fee,
  }
}
