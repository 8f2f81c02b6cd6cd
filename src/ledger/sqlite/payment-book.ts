import type { DatabaseSync } from 'node:sqlite'
import { parseAtomic } from '../../core/money.ts'
import { CLAIM_LEASE_MS, type Claim, type PaymentState, type StoredReply } from '../ports/payment-book.ts'
import type { Outcome, PaymentBookQueries, PaymentLedger } from '../ports/payment-book-queries.ts'
import { settledRow } from '../settled-row.ts'
import { type Turns, takeTurns } from '../turns.ts'
import type { GroupCommit } from './group-commit.ts'
import { prepareDue, prepareRows, prepareUnfinished } from './payment-row.ts'

/** Every step is one conditional statement: a second attempt changes nothing. */
export function createSqlitePaymentBook(
  db: DatabaseSync,
  commit: GroupCommit,
): Omit<PaymentLedger, keyof PaymentBookQueries> {
  const steps = prepareSteps(db)
  const byKey = prepareRows(db, 'WHERE p.key = ?').find
  const byIdentifier = prepareRows(db, 'WHERE p.identifier = ?').find
  const byId = prepareRows(db, 'WHERE p.id = ?').find
  const unfinished = prepareUnfinished(db)
  const due = prepareDue(db)
  // In memory: one process has the ledger, and after a restart everything open is asked about at once.
  const turns: Turns = new Map()
  return {
    async claim(claim) {
      parseAtomic(claim.amount)
      return commit.write(() => {
        if (steps.claim(claim)) return { fresh: true }
        const row = byKey(claim.key) ?? byIdentifier(claim.identifier ?? null)
        if (!row) throw new Error('the same id was given to two purchases')
        return { fresh: false, row }
      })
    },
    renew: (ids, nowMs) => commit.write(() => steps.renew(ids, nowMs)),
    prepare: (key, id, reply) => commit.write(() => steps.prepare(key, id, reply)),
    enter: (claim, reply) => commit.write(() => steps.enter(claim, reply)),
    settle: (key, outcome, known) =>
      commit.write(() => {
        if (known && steps.settle(key, outcome, 'settling')) return settledRow(known, outcome)
        steps.settle(key, outcome, 'void')
        const row = byKey(key)
        return row && { ...row, revived: steps.isRevived(key) }
      }),
    void: (key) => commit.write(() => steps.void(key)),
    release: (key, id) => commit.write(() => steps.release(key, id)),
    releaseExpired: (nowMs) => commit.write(() => steps.releaseExpired(nowMs)),
    find: (key) => commit.read(() => byKey(key)),
    findByIdentifier: (identifier) => commit.read(() => byIdentifier(identifier)),
    findById: (id) => commit.read(() => byId(id)),
    unfinished: () => commit.read(() => unfinished()),
    takeDue: (turn) =>
      commit.read(() => {
        const settling = unfinished().filter(({ state }) => state === 'settling')
        return takeTurns(turns, settling, turn).flatMap((key) => due(key) ?? [])
      }),
  }
}

function prepareSteps(db: DatabaseSync) {
  const insert = prepareInsert(db)
  const prepared = db.prepare(`
    UPDATE payments SET state = 'settling', receipt = ? WHERE key = ? AND id = ? AND state = 'claimed' RETURNING seq
  `)
  const keep = db.prepare('INSERT INTO replies (payment, text, as_of_ms) VALUES (?, ?, ?)')
  const settled = db.prepare(`
    UPDATE payments SET state = 'settled', revived = (state = 'void'), tx = ?, facilitator = ?, settled_at_ms = ?,
      receipt = coalesce(?, receipt)
    WHERE key = ? AND state IN ('settling', ?)
  `)
  const revived = db.prepare('SELECT revived FROM payments WHERE key = ?')
  const voided = db.prepare("UPDATE payments SET state = 'void' WHERE key = ? AND state = 'settling'")
  const released = db.prepare("DELETE FROM payments WHERE key = ? AND id = ? AND state = 'claimed'")
  const renewed = db.prepare("UPDATE payments SET claimed_at_ms = ? WHERE id = ? AND state = 'claimed'")
  const expired = db.prepare("DELETE FROM payments WHERE state = 'claimed' AND claimed_at_ms < ?")
  return {
    claim: (claim: Claim) => insert(claim, 'claimed', undefined) !== undefined,
    enter(claim: Claim, { text, asOfMs, receipt }: StoredReply): boolean {
      const seq = insert(claim, 'settling', receipt)
      if (seq === undefined) return false
      keep.run(seq, text, asOfMs ?? null)
      return true
    },
    renew(ids: readonly string[], nowMs: number): void {
      for (const id of ids) renewed.run(nowMs, id)
    },
    prepare(key: string, id: string, { text, asOfMs, receipt }: StoredReply): boolean {
      const row = prepared.get(receipt ?? null, key, id)
      if (!row) return false
      keep.run(Number(row.seq), text, asOfMs ?? null)
      return true
    },
    /** `alsoFrom` may be void: where the money moved after all, the chain is right and we were wrong. */
    settle(key: string, outcome: Outcome, alsoFrom: PaymentState): boolean {
      const { transaction, facilitator, settledAtMs, receipt } = outcome
      const values = [transaction, facilitator ?? null, settledAtMs, receipt ?? null, key, alsoFrom]
      return settled.run(...values).changes === 1
    },
    isRevived: (key: string) => revived.get(key)?.revived === 1,
    void: (key: string): void => void voided.run(key),
    release: (key: string, id: string): void => void released.run(key, id),
    releaseExpired: (nowMs: number): number => Number(expired.run(nowMs - CLAIM_LEASE_MS).changes),
  }
}

/** Returns the number of the new row; undefined where its key, id or identifier is taken. */
function prepareInsert(db: DatabaseSync) {
  const insert = db.prepare(`
    INSERT INTO payments (key, id, identifier, state, fingerprint, product_id, request, payer, network, asset, amount,
      pay_to, payment, claimed_at_ms, receipt)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING
  `)
  return (claim: Claim, state: PaymentState, receipt: string | undefined): number | bigint | undefined => {
    const { key, id, identifier, fingerprint, productId, request, payer, network, asset, amount } = claim
    const what = [key, id, identifier ?? null, state, fingerprint, productId, request, payer, network, asset]
    const { payTo, payment, claimedAtMs } = claim
    const written = insert.run(...what, amount, payTo, payment, claimedAtMs, receipt ?? null)
    return written.changes === 1 ? written.lastInsertRowid : undefined
  }
}
