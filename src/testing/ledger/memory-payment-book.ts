import type { PaymentRow } from '../../ledger/ports/payment-book.ts'
import type { PaymentLedger, SettledRow } from '../../ledger/ports/payment-book-queries.ts'
import { type Turns, takeTurns } from '../../ledger/turns.ts'
import type { Commit } from './commit.ts'
import { createMemoryQueries } from './memory-payment-queries.ts'
import { createMemorySteps, type MemoryRow, type MemoryRows } from './memory-payment-rows.ts'

type Options = {
  commit?: Commit
  rows?: MemoryRows
  /** Given where several share the rows. */
  turns?: Turns
  /** Payments that a chain took back for good. */
  isLost?: (key: string) => boolean
}

/** A payment book for simulations. A new one with the same `rows` is the ledger after a restart. */
export function createMemoryPaymentBook({
  commit = async (apply) => apply(),
  rows = new Map(),
  turns = new Map(),
  isLost = () => false,
}: Options = {}): PaymentLedger {
  const steps = createMemorySteps(rows)
  const query = async (isIt: (row: PaymentRow) => boolean) => publicly(steps.find(isIt))
  return {
    claim: (claim) =>
      commit(() => {
        const claimed = steps.claim({ ...claim })
        return claimed.fresh ? claimed : { fresh: false, row: toRow(claimed.row) }
      }),
    renew: (ids, nowMs) => commit(() => steps.renew(ids, nowMs)),
    prepare: (key, id, reply) => commit(() => steps.prepare(key, id, reply)),
    enter: (claim, reply) =>
      commit(() => steps.claim({ ...claim }).fresh && steps.prepare(claim.key, claim.id, reply)),
    settle: (key, outcome) =>
      commit(() => {
        const row = steps.settle(key, { ...outcome })
        return row && ({ ...toRow(row), revived: row.revived } satisfies SettledRow)
      }),
    void: (key) => commit(() => steps.void(key)),
    release: (key, id) => commit(() => steps.release(key, id)),
    releaseExpired: (nowMs) => commit(() => steps.releaseExpired(nowMs)),
    find: async (key) => publicly(rows.get(key)),
    findByIdentifier: (identifier) => query((row) => row.identifier === identifier),
    findById: (id) => query((row) => row.id === id),
    unfinished: async () => listOpen(rows),
    takeDue: async (turn) => {
      const settling = listOpen(rows).filter(({ state }) => state === 'settling')
      return takeTurns(turns, settling, turn).flatMap((key) => settling.find((row) => row.key === key) ?? [])
    },
    ...createMemoryQueries({ rows, isLost }, commit, toRow),
  }
}

const listOpen = (rows: MemoryRows): PaymentRow[] =>
  [...rows.values()]
    .filter(({ state }) => state === 'claimed' || state === 'settling')
    .sort((a, b) => a.claimedAtMs - b.claimedAtMs)
    .map(toRow)

const publicly = (row: MemoryRow | undefined) => row && toRow(row)

/** A copy: what a caller does to it must not change the ledger. */
function toRow({ receipt: _receipt, revived: _revived, reply, ...row }: MemoryRow): PaymentRow {
  return { ...row, reply: reply && { ...reply } }
}
