import type { Clock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { WINDOW_S } from '../../core/time/window.ts'
import type { BotBook, OrderRow } from '../../ledger/ports/bot-book.ts'
import { isFinal } from '../account/fills.ts'
import type { LedgerView } from '../account/ledger-view.ts'
import type { ClaimReport } from '../bot.ts'
import type { Broker } from '../brokers/broker.ts'
import { payoutOf } from './settlement.ts'

type Ports = {
  clock: Clock
  book: Pick<BotBook, 'addResolution' | 'findResolution'>
  view: Pick<LedgerView, 'findResolution' | 'putResolution'>
}
type Pending = ClaimReport['pending'][number]

/** Not half: shares of which half were sold elsewhere are paid alike, and only the venue can say that it was a split. */
const PAYOUTS_E6 = [1_000_000n, 0n]

/**
 * Of a market of which nobody told the outcome, though its shares were paid: what was paid tells it. It is settled with
 * the next pass. Undefined where nothing was paid, or it is too early to ask.
 */
export async function learnOutcome(
  ports: Ports,
  orders: readonly OrderRow[],
  broker: Broker,
): Promise<Pending | undefined> {
  const { clock, view } = ports
  const [first] = orders
  if (!first || view.findResolution(first.coin, first.windowStartS)) return undefined
  const isOver = clock.now() >= (first.windowStartS + WINDOW_S) * SECOND_MS
  if (!isOver || !orders.every(isFinal)) return undefined
  const paid = await broker.findPaid(first.conditionId, first.windowStartS * SECOND_MS)
  return paid && learn(ports, orders, first, paid.amountE6)
}

async function learn(
  { clock, book, view }: Ports,
  orders: readonly OrderRow[],
  { coin, windowStartS, conditionId }: OrderRow,
  amountE6: bigint,
): Promise<Pending> {
  const fitting = PAYOUTS_E6.filter((payoutUpE6) => payoutOf(orders, payoutUpE6) === amountE6)
  const [payoutUpE6] = fitting
  if (payoutUpE6 === undefined || fitting.length > 1)
    return {
      conditionId,
      reason: `${Number(amountE6) / 1e6} USD were paid for it, which no outcome explains`,
    }
  const outcome = payoutUpE6 > 0n ? 'UP' : 'DOWN'
  await book.addResolution({ coin, windowStartS, conditionId, outcome, payoutUpE6, atMs: clock.now() })
  const kept = await book.findResolution(coin, windowStartS)
  if (kept) view.putResolution(kept)
  return { conditionId, reason: 'it was paid already: it is settled within seconds' }
}
