import { parseAtomic } from '../../core/money.ts'
import {
  CLAIM_LEASE_MS,
  type Claim,
  type PaymentRow,
  type StoredReply,
} from '../../ledger/ports/payment-book.ts'
import type { Outcome } from '../../ledger/ports/payment-book-queries.ts'

/** `receipt` is kept longer than the reply, as in a database. */
export type MemoryRow = PaymentRow & { receipt: string | undefined; revived: boolean }
/** What would be on disk: rows by key, oldest first. Never changed in place, only replaced. */
export type MemoryRows = Map<string, MemoryRow>

/** The steps of a payment on plain rows; synchronous, so each is atomic. */
export function createMemorySteps(rows: MemoryRows) {
  const find = (isIt: (row: MemoryRow) => boolean) => [...rows.values()].find(isIt)
  const move = (key: string, from: readonly PaymentRow['state'][], to: Partial<MemoryRow>): boolean => {
    const row = rows.get(key)
    if (!row || !from.includes(row.state)) return false
    rows.set(key, { ...row, ...to })
    return true
  }
  return {
    find,
    claim(claim: Claim): { fresh: true } | { fresh: false; row: MemoryRow } {
      parseAtomic(claim.amount)
      const row = rows.get(claim.key) ?? find((each) => isSame(each.identifier, claim.identifier))
      if (row) return { fresh: false, row }
      if (find((each) => each.id === claim.id)) throw new Error('the same id was given to two purchases')
      rows.set(claim.key, { ...claim, ...UNSETTLED })
      return { fresh: true }
    },
    renew(ids: readonly string[], nowMs: number): void {
      for (const [key, { id }] of rows) if (ids.includes(id)) move(key, ['claimed'], { claimedAtMs: nowMs })
    },
    prepare(key: string, id: string, reply: StoredReply): boolean {
      if (rows.get(key)?.id !== id) return false
      return move(key, ['claimed'], { state: 'settling', reply: { ...reply }, receipt: reply.receipt })
    },
    settle(key: string, outcome: Outcome): MemoryRow | undefined {
      const before = rows.get(key)
      const receipt = outcome.receipt ?? before?.receipt
      const reply = before?.reply && { ...before.reply, receipt }
      const revived = before?.state === 'void'
      // From void as well: where the money moved after all, the chain is right and we were wrong.
      move(key, ['settling', 'void'], { ...outcome, state: 'settled', receipt, reply, revived })
      return rows.get(key)
    },
    void(key: string): void {
      move(key, ['settling'], { state: 'void' })
    },
    release(key: string, id: string): void {
      const row = rows.get(key)
      if (row?.state === 'claimed' && row.id === id) rows.delete(key)
    },
    releaseExpired(nowMs: number): number {
      const expired = [...rows.values()].filter(
        ({ state, claimedAtMs }) => state === 'claimed' && claimedAtMs < nowMs - CLAIM_LEASE_MS,
      )
      for (const { key } of expired) rows.delete(key)
      return expired.length
    },
  }
}

const isSame = (a: string | undefined, b: string | undefined) => a !== undefined && a === b

const UNSETTLED = {
  state: 'claimed',
  reply: undefined,
  facilitator: undefined,
  transaction: undefined,
  settledAtMs: undefined,
  receipt: undefined,
  revived: false,
} as const
