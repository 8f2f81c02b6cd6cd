import type { DatabaseSync } from 'node:sqlite'
import { parseAtomic } from '../core/money.ts'
import type { GroupCommit } from './group-commit.ts'
import type { Claim, StoredReply } from './payment-book.ts'
import type { Outcome, PaymentBookQueries, PaymentLedger } from './payment-book-queries.ts'
import { type ListRows, prepareRows } from './sqlite-payment-row.ts'

/** Every step is one conditional statement: who comes second changes nothing. */
export function createSqlitePaymentBook(
  db: DatabaseSync,
  commit: GroupCommit,
): Omit<PaymentLedger, keyof PaymentBookQueries> {
  const steps = prepareSteps(db)
  const byKey = prepareRows(db, 'WHERE p.key = ?').find
  const byIdentifier = prepareRows(db, 'WHERE p.identifier = ?').find
  const byId = prepareRows(db, 'WHERE p.id = ?').find
  const unfinished: ListRows = prepareRows(
    db,
    "WHERE p.state IN ('claimed', 'settling') AND p.boot_id <> ? ORDER BY p.claimed_at_ms, p.seq",
  ).list
  return {
    async claim(claim) {
      parseAtomic(claim.amount)
      return commit.write(() => {
        if (steps.claim(claim)) return { fresh: true }
        const row = byKey(claim.key) ?? byIdentifier(claim.identifier ?? null)
        if (!row) throw new Error('the id of a purchase was used for another one')
        return { fresh: false, row }
      })
    },
    prepare: (key, bootId, reply) => commit.write(() => steps.prepare(key, bootId, reply)),
    settle: (key, outcome) =>
      commit.write(() => {
        steps.settle(key, outcome)
        const row = byKey(key)
        return row && { ...row, revived: steps.isRevived(key) }
      }),
    void: (key) => commit.write(() => steps.void(key)),
    release: (key, bootId) => commit.write(() => steps.release(key, bootId)),
    find: (key) => commit.read(() => byKey(key)),
    findByIdentifier: (identifier) => commit.read(() => byIdentifier(identifier)),
    findById: (id) => commit.read(() => byId(id)),
    unfinished: (exceptBootId) => commit.read(() => unfinished(exceptBootId)),
  }
}

function prepareSteps(db: DatabaseSync) {
  const insert = db.prepare(`
    INSERT INTO payments (key, id, identifier, state, fingerprint, product_id, request, payer, network, asset, amount,
      pay_to, payment, boot_id, claimed_at_ms)
    VALUES (:key, :id, :identifier, 'claimed', :fingerprint, :productId, :request, :payer, :network, :asset, :amount,
      :payTo, :payment, :bootId, :claimedAtMs)
    ON CONFLICT DO NOTHING
  `)
  const prepared = db.prepare(`
    UPDATE payments SET state = 'settling', receipt = ? WHERE key = ? AND boot_id = ? AND state = 'claimed' RETURNING seq
  `)
  const keep = db.prepare('INSERT INTO replies (payment, text, as_of_ms) VALUES (?, ?, ?)')
  // Out of void as well: when the money moved after all, the chain is right and we were wrong.
  const settled = db.prepare(`
    UPDATE payments SET state = 'settled', revived = (state = 'void'), tx = :transaction, facilitator = :facilitator,
      settled_at_ms = :settledAtMs, receipt = coalesce(:receipt, receipt)
    WHERE key = :key AND state IN ('settling', 'void')
  `)
  const revived = db.prepare('SELECT revived FROM payments WHERE key = ?')
  const voided = db.prepare("UPDATE payments SET state = 'void' WHERE key = ? AND state = 'settling'")
  const released = db.prepare("DELETE FROM payments WHERE key = ? AND boot_id = ? AND state = 'claimed'")
  return {
    claim: (claim: Claim) => insert.run({ ...claim, identifier: claim.identifier ?? null }).changes === 1,
    prepare(key: string, bootId: string, { text, asOfMs, receipt }: StoredReply): boolean {
      const row = prepared.get(receipt ?? null, key, bootId)
      if (!row) return false
      keep.run(Number(row.seq), text, asOfMs ?? null)
      return true
    },
    settle(key: string, { transaction, facilitator, settledAtMs, receipt }: Outcome): void {
      settled.run({
        key,
        transaction,
        facilitator: facilitator ?? null,
        settledAtMs,
        receipt: receipt ?? null,
      })
    },
    isRevived: (key: string) => revived.get(key)?.revived === 1,
    void: (key: string): void => void voided.run(key),
    release: (key: string, bootId: string): void => void released.run(key, bootId),
  }
}
