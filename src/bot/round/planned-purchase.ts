import assert from 'node:assert'
import type { DecisionRow, PlannedOrder } from '../../ledger/ports/bot-book.ts'
import type { Direction } from '../../signals/signal.ts'
import { roundOrderId } from '../desk/client-order-id.ts'
import type { Wanted } from '../desk/desk.ts'
import type { Choice, Look } from './look.ts'

type Purchase = Pick<
  PlannedOrder,
  'clientOrderId' | 'origin' | 'by' | 'priceE4' | 'tickE4' | 'maxFeeE6' | 'outcome'
> & { spendE6: bigint }

/** The order of a purchase in the market that a look saw. */
export function plannedPurchase(look: Look, purchase: Purchase): PlannedOrder {
  assert(look.market, 'a purchase without a market')
  const { market } = look.market
  return {
    ...purchase,
    broker: look.broker,
    coin: look.coin,
    windowStartS: look.windowStartS,
    conditionId: market.conditionId,
    tokenId: tokenOf(market.tokens, purchase.outcome),
    side: 'BUY',
    sharesE6: undefined,
    fee: market.fee,
    createdMs: look.atMs,
  }
}

/** What the round wants, with the decision as a row. */
export function toWanted(look: Look, choice: Extract<Choice, { action: 'buy' }>, attempt: number): Wanted {
  const { outcome, priceE4, tickE4, spendE6, maxFeeE6, reason, facts } = choice
  const { coin, windowStartS, atMs, broker } = look
  const clientOrderId = roundOrderId(windowStartS, coin, attempt)
  const terms = { outcome, priceE4, tickE4, spendE6, maxFeeE6 }
  const origin = look.bossSignal ? 'boss' : 'round'
  const decision: DecisionRow = {
    windowStartS,
    coin,
    attempt,
    atMs,
    broker,
    action: 'buy',
    reason,
    facts: JSON.stringify(facts),
  }
  return { order: plannedPurchase(look, { clientOrderId, origin, by: 'bot', ...terms }), decision }
}

export const tokenOf = (tokens: { up: string; down: string }, outcome: Direction): string =>
  outcome === 'UP' ? tokens.up : tokens.down
