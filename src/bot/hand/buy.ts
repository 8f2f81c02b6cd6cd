import { toDecimal, type Usd } from '../../core/money.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { windowAt } from '../../core/time/window.ts'
import type { BotBook } from '../../ledger/ports/bot-book.ts'
import type { BuyInput, OrderReport } from '../bot.ts'
import { checkGivenId, DOUBLE_CLICK_MS, handOrderIds } from '../desk/client-order-id.ts'
import type { Desk, Wanted } from '../desk/desk.ts'
import { checkSameTerms } from '../desk/same-terms.ts'
import { whyNoMoney } from '../risk/why-not.ts'
import { findFeeBound } from '../round/fee-bound.ts'
import { MAX_PRICE_E4, MIN_PRICE_E4 } from '../round/limit-price.ts'
import { plannedPurchase } from '../round/planned-purchase.ts'
import { purchaseTerms } from '../round/purchase-terms.ts'
import type { TakeLook } from '../round/take-look.ts'
import { CONFIG_BOUNDS } from '../trading-config.ts'
import { checkBroker } from './check-broker.ts'

type Ports = {
  clock: Clock
  book: Pick<BotBook, 'findOrder'>
  desk: Desk
  takeLook: TakeLook
}

const CENT_E6 = 10_000n

/** A purchase by hand: every rule about money and data holds, those about our opinion do not. */
export const createBuy = (ports: Ports) =>
  async function buy(input: BuyInput): Promise<OrderReport> {
    const { coin, outcome, spendE6, clientOrderId } = input
    checkSpend(spendE6)
    if (clientOrderId !== undefined) checkGivenId(clientOrderId)
    const id = clientOrderId ?? (await ownId(ports, input))
    const report = await ports.desk.orderOnce(id, async () => wantedOf(ports, input, id))
    if (clientOrderId === undefined) checkSameSpend(ports.clock, input, report)
    checkBroker(input.broker, report.order.broker)
    checkSameTerms({ coin, outcome, side: 'BUY', spendE6, sharesE6: undefined }, report.order)
    return report
  }

function checkSpend(spendE6: bigint): void {
  const { min, max } = CONFIG_BOUNDS.sizeUsd
  if (spendE6 >= min && spendE6 <= max && spendE6 % CENT_E6 === 0n) return
  throw new ServiceError(
    'bad_request',
    `a purchase is of ${toDecimal(min)} to ${toDecimal(max)} dollars in whole cents`,
  )
}

/** That of the same purchase a moment ago, if there was one: two clicks are one order. */
async function ownId({ clock, book, desk }: Ports, { coin, outcome }: BuyInput): Promise<string> {
  const atMs = clock.now()
  const { now, before } = handOrderIds({ windowStartS: windowAt(atMs).startS, coin, outcome, atMs })
  if (desk.isJoinable(before)) return before
  const last = await book.findOrder(before)
  return last && atMs - last.createdMs < DOUBLE_CLICK_MS ? before : now
}

/** Who named no id must not be told of one. */
function checkSameSpend(clock: Clock, { coin, outcome, spendE6 }: BuyInput, { order }: OrderReport): void {
  if (order.spendE6 === spendE6) return
  const agoS = Math.round((clock.now() - order.createdMs) / 1000)
  const spent = toDecimal((order.spendE6 ?? 0n) as Usd)
  throw new ServiceError(
    'conflict',
    `${outcome} of ${coin} was ordered ${agoS} s ago for ${spent} USD, and within ${DOUBLE_CLICK_MS / 1000} s the same side is one order`,
    { hint: 'send a client_order_id to buy again' },
  )
}

const whyNoTerms = (reason: string): string =>
  reason === 'price_range'
    ? `the best ask is below ${MIN_PRICE_E4 / 100} or above ${MAX_PRICE_E4 / 100} cents`
    : 'the book or the balance does not allow it'

function wantedOf({ clock, desk, takeLook }: Ports, input: BuyInput, clientOrderId: string): Wanted {
  const { coin, outcome, spendE6, by } = input
  if (desk.isHeld(coin))
    throw new ServiceError(
      'conflict',
      `${coin} has to wait: for the ledger to take its last order, or because the venue says so`,
      {
        hint: 'try again in some seconds',
      },
    )
  const look = takeLook(coin, windowAt(clock.now()).startS, outcome)
  checkBroker(input.broker, look.broker)
  const objection = whyNoMoney(look)
  if (objection) throw new ServiceError('conflict', `not bought (${objection.reason}): ${objection.text}`)
  const side = { outcome, probabilityE6: undefined }
  const terms = purchaseTerms(look, side, spendE6)
  if ('reason' in terms)
    throw new ServiceError('conflict', `not bought (${terms.reason}): ${whyNoTerms(terms.reason)}`)
  const cashE6 = terms.reckoning.caps?.cash ?? 0n
  if (cashE6 < spendE6)
    throw new ServiceError('conflict', `the balance allows ${toDecimal(cashE6 as Usd)} USD after the fee`, {
      hint: 'ask for less',
    })
  const { priceE4, tickE4 } = terms
  // The whole amount is asked for, whatever the book has now: what is not there is not taken.
  const bound = findFeeBound(look.market?.market.fee, { tickE4, limitE4: priceE4 })
  const maxFeeE6 = bound?.maxFeeE6(spendE6) ?? terms.maxFeeE6
  const origin = 'operator' as const
  return {
    order: plannedPurchase(look, { clientOrderId, origin, by, outcome, priceE4, tickE4, spendE6, maxFeeE6 }),
  }
}
