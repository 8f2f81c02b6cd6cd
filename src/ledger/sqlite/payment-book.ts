import type { DatabaseSync } from 'node:sqlite'
import { parseAtomic } from '../../core/money.ts'
import type { Claim, PaymentState, StoredReply } from '../ports/payment-book.ts'
import type { Outcome, PaymentBookQueries, PaymentLedger } from '../ports/payment-book-queries.ts'
import { settledRow } from '../settled-row.ts'
import type { GroupCommit } from './group-commit.ts'
import { type ListRows, prepareRows } from './payment-row.ts'

/** Every step is one conditional statement: a second attempt changes nothing. */
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
        if (!row) throw new Error('the same id was given to two purchases')
        return { fresh: false, row }
      })
    },
    prepare: (key, bootId, reply) => commit.write(() => steps.prepare(key, bootId, reply)),
    enter: (claim, reply) => commit.write(() => steps.enter(claim, reply)),
    settle: (key, outcome, known) =>
      commit.write(() => {
        if (known && steps.settle(key, outcome, 'settling')) return settledRow(known, outcome)
        steps.settle(key, outcome, 'void')
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
  const insert = prepareInsert(db)
  const prepared = db.prepare(`
    UPDATE payments SET state = 'settling', receipt = ? WHERE key = ? AND boot_id = ? AND state = 'claimed' RETURNING seq
  `)
  const keep = db.prepare('INSERT INTO replies (payment, text, as_of_ms) VALUES (?, ?, ?)')
  const settled = db.prepare(`
    UPDATE payments SET state = 'settled', revived = (state = 'void'), tx = ?, facilitator = ?, settled_at_ms = ?,
      receipt = coalesce(?, receipt)
    WHERE key = ? AND state IN ('settling', ?)
  `)
  const revived = db.prepare('SELECT revived FROM payments WHERE key = ?')
  const voided = db.prepare("UPDATE payments SET state = 'void' WHERE key = ? AND state = 'settling'")
  const released = db.prepare("DELETE FROM payments WHERE key = ? AND boot_id = ? AND state = 'claimed'")
  return {
    claim: (claim: Claim) => insert(claim, 'claimed', undefined) !== undefined,
    enter(claim: Claim, { text, asOfMs, receipt }: StoredReply): boolean {
      const seq = insert(claim, 'settling', receipt)
      if (seq === undefined) return false
      keep.run(seq, text, asOfMs ?? null)
      return true
    },
    prepare(key: string, bootId: string, { text, asOfMs, receipt }: StoredReply): boolean {
      const row = prepared.get(receipt ?? null, key, bootId)
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
    release: (key: string, bootId: string): void => void released.run(key, bootId),
  }
}

/** Returns the number of the new row; undefined where its key, id or identifier is taken. */
function prepareInsert(db: DatabaseSync) {
  const insert = db.prepare(`
    INSERT INTO payments (key, id, identifier, state, fingerprint, product_id, request, payer, network, asset, amount,
      pay_to, payment, boot_id, claimed_at_ms, receipt)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING
  `)
  return (claim: Claim, state: PaymentState, receipt: string | undefined): number | bigint | undefined => {
    const { key, id, identifier, fingerprint, productId, request, payer, network, asset, amount } = claim
    const what = [key, id, identifier ?? null, state, fingerprint, productId, request, payer, network, asset]
    const { payTo, payment, bootId, claimedAtMs } = claim
    const written = insert.run(...what, amount, payTo, payment, bootId, claimedAtMs, receipt ?? null)
    return written.changes === 1 ? written.lastInsertRowid : undefined
  }
}
