import { ServiceError } from '../../core/service-error.ts'
import type { PlannedOrder } from '../../ledger/ports/bot-book.ts'

type Terms = Pick<PlannedOrder, 'coin' | 'outcome' | 'side' | 'spendE6' | 'sharesE6'>

/** Throws where an id names an order with other terms than are asked for now. Its price and time are its own. */
export function checkSameTerms(asked: Terms, order: PlannedOrder): void {
  const isSame = (['coin', 'outcome', 'side', 'spendE6', 'sharesE6'] as const).every(
    (name) => asked[name] === order[name],
  )
  if (isSame) return
  throw new ServiceError(
    'conflict',
    `the client order id ${order.clientOrderId} names another order: ${describe(order)}, not ${describe(asked)}`,
    { hint: 'send another client order id for another order' },
  )
}

const describe = ({ side, outcome, coin, spendE6, sharesE6 }: Terms): string =>
  `${side} ${outcome} of ${coin} ${spendE6 !== undefined ? `for ${Number(spendE6) / 1e6} USD` : `of ${Number(sharesE6) / 1e6} shares`}`
