import type { Coin } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { BotBook, OrderRow, PlannedOrder } from '../../ledger/ports/bot-book.ts'
import type { LedgerView } from '../account/ledger-view.ts'
import type { Placed } from '../brokers/broker.ts'

/** Writes what the venue said about an order; what cannot be written now is kept and written again. */
export type Outcomes = {
  /** Rejects where the ledger fails; then `isUnwritten` until a `flush` has succeeded. */
  write(order: PlannedOrder, placed: Placed): Promise<OrderRow>
  /** An order of which the ledger did not say whether it has it: it is read again with the next `flush`. */
  doubt(order: PlannedOrder): void
  isUnwritten(clientOrderId: string): boolean
  hasUnwritten(coin: Coin): boolean
  /** Rejects with the first that still fails. */
  flush(): Promise<void>
}

type Unwritten = { order: PlannedOrder; work: () => Promise<OrderRow | undefined> }

export function createOutcomes(ports: {
  clock: Clock
  book: Pick<BotBook, 'putFills' | 'noteAccepted' | 'closeOrder' | 'findOrder'>
  view: Pick<LedgerView, 'refresh'>
}): Outcomes {
  const { clock, book, view } = ports
  // At most one for each order that was under way when the ledger failed: a few.
  const unwritten = new Map<string, Unwritten>()
  const save = async ({ clientOrderId }: PlannedOrder, placed: Placed, atMs: number) => {
    const fills = placed.state === 'refused' ? [] : placed.fills
    if (placed.state === 'open' && placed.isAccepted) await book.noteAccepted(clientOrderId, atMs)
    if (fills.length > 0) await book.putFills(clientOrderId, fills)
    if (placed.state !== 'open') await book.closeOrder(clientOrderId, atMs, noteOf(placed))
    return view.refresh(clientOrderId)
  }
  return {
    async write(order, placed) {
      const atMs = clock.now()
      try {
        return await save(order, placed, atMs)
      } catch (err) {
        unwritten.set(order.clientOrderId, { order, work: () => save(order, placed, atMs) })
        throw err
      }
    },
    doubt(order) {
      const work = async () => {
        const isThere = await book.findOrder(order.clientOrderId)
        return isThere && view.refresh(order.clientOrderId)
      }
      unwritten.set(order.clientOrderId, { order, work })
    },
    isUnwritten: (clientOrderId) => unwritten.has(clientOrderId),
    hasUnwritten: (coin) => [...unwritten.values()].some(({ order }) => order.coin === coin),
    async flush() {
      for (const [clientOrderId, { work }] of unwritten) {
        await work()
        unwritten.delete(clientOrderId)
      }
    },
  }
}

const noteOf = (placed: Placed): string | undefined =>
  placed.state === 'refused' ? placed.reason : placed.state === 'closed' ? placed.note : undefined
