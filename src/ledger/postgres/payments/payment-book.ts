import { parseAtomic } from '../../../core/money.ts'
import {
  CLAIM_LEASE_MS,
  type Claim,
  type PaymentRow,
  type PaymentState,
  type StoredReply,
} from '../../ports/payment-book.ts'
import type { Outcome, PaymentBookQueries, PaymentLedger } from '../../ports/payment-book-queries.ts'
import { settledRow } from '../../settled-row.ts'
import type { Database, Query } from '../database.ts'
import { otherLedger } from '../identity/same-ledger.ts'
import { numberOfPayments } from './number-of-payments.ts'
import { findRow, selectRows, toRow, toUnfinished } from './payment-row.ts'
import { takeDue } from './take-due.ts'

/** `$1`: the number of the table that may be written to; without one it is any. */
const INSERT = `
  INSERT INTO payments (key, id, identifier, state, fingerprint, product_id, request, payer, network, asset, amount,
    pay_to, payment, claimed_at_ms, receipt)
  SELECT $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16
  WHERE coalesce($1 = 'payments'::regclass::oid::text, true)
  ON CONFLICT DO NOTHING RETURNING seq, tableoid::text AS stored_in`
const BY_KEY = selectRows('WHERE p.key = $1')
const BY_IDENTIFIER = selectRows('WHERE p.identifier = $1')
const BY_ID = selectRows('WHERE p.id = $1')
const UNFINISHED = `
  SELECT key, id, payer, state, claimed_at_ms FROM payments
  WHERE state IN ('claimed', 'settling') ORDER BY claimed_at_ms, seq`
const PREPARE = `
  WITH prepared AS (
    UPDATE payments SET state = 'settling', receipt = $3
    WHERE key = $1 AND id = $2 AND state = 'claimed' RETURNING seq
  )
  INSERT INTO replies (payment, text, as_of_ms) SELECT seq, $4, $5 FROM prepared`
const ENTER = `
  WITH entered AS (${INSERT}),
  replied AS (INSERT INTO replies (payment, text, as_of_ms) SELECT seq, $17, $18 FROM entered)
  SELECT stored_in FROM entered`
const SETTLE = `
  UPDATE payments SET state = 'settled', revived = (state = 'void'), tx = $2, facilitator = $3, settled_at_ms = $4,
    receipt = coalesce($5, receipt)
  WHERE key = $1 AND state IN ('settling', $6)`
const VOID = "UPDATE payments SET state = 'void' WHERE key = $1 AND state = 'settling'"
const RELEASE = "DELETE FROM payments WHERE key = $1 AND id = $2 AND state = 'claimed'"
const RENEW = "UPDATE payments SET claimed_at_ms = $2 WHERE id = ANY($1) AND state = 'claimed'"
const EXPIRED = "DELETE FROM payments WHERE state = 'claimed' AND claimed_at_ms < $1"

/** What was in the way of a claim may be released before it is read: then the claim is tried again. */
const CLAIM_TRIES = 5

/** Every step is one conditional statement: a second attempt changes nothing. */
export function createPostgresPaymentBook(
  { query }: Database,
  onSettled: () => void,
  table?: string,
): Omit<PaymentLedger, keyof PaymentBookQueries> {
  let ours = table
  /** Whether a row was added. Rejects, and writes nothing, where a dump was put back and took the place of the table. */
  const add = async (sql: string, values: readonly unknown[]): Promise<boolean> => {
    const [added] = (await query(sql, [ours ?? null, ...values])).rows
    if (added) ours ??= String(added.stored_in)
    else if (ours !== undefined && (await numberOfPayments(query)) !== ours) throw otherLedger()
    return added !== undefined
  }
  return {
    async claim(claim) {
      parseAtomic(claim.amount)
      for (let tried = 0; tried < CLAIM_TRIES; tried++) {
        if (await add(INSERT, valuesOf(claim, 'claimed', undefined))) return { fresh: true }
        const row = await findHolder(query, claim)
        if (row) return { fresh: false, row }
      }
      throw new Error('the same id was given to two purchases')
    },
    renew: async (ids, nowMs) => void (await query(RENEW, [ids, nowMs])),
    prepare: async (key, id, { text, asOfMs, receipt }) =>
      (await query(PREPARE, [key, id, receipt ?? null, text, asOfMs ?? null])).count === 1,
    enter: (claim, { text, asOfMs, receipt }) =>
      add(ENTER, [...valuesOf(claim, 'settling', receipt), text, asOfMs ?? null]),
    async settle(key, outcome, known) {
      onSettled()
      if (known && (await settle(query, key, outcome, 'settling'))) return settledRow(known, outcome)
      await settle(query, key, outcome, 'void')
      const { rows } = await query(BY_KEY, [key])
      return rows[0] && { ...toRow(rows[0]), revived: rows[0].revived === true }
    },
    void: async (key) => void (await query(VOID, [key])),
    release: async (key, id) => void (await query(RELEASE, [key, id])),
    releaseExpired: async (nowMs) => (await query(EXPIRED, [nowMs - CLAIM_LEASE_MS])).count,
    find: (key) => findRow(query, BY_KEY, [key]),
    findByIdentifier: (identifier) => findRow(query, BY_IDENTIFIER, [identifier]),
    findById: (id) => findRow(query, BY_ID, [id]),
    unfinished: async () => (await query(UNFINISHED)).rows.map(toUnfinished),
    takeDue: (turn) => takeDue(query, turn),
  }
}

/** Who has the key, or else the identifier. */
async function findHolder(
  query: Query,
  { key, identifier }: Pick<Claim, 'key' | 'identifier'>,
): Promise<PaymentRow | undefined> {
  const row = await findRow(query, BY_KEY, [key])
  return row ?? (identifier === undefined ? undefined : findRow(query, BY_IDENTIFIER, [identifier]))
}

/** `alsoFrom` may be void: where the money moved after all, the chain is right and we were wrong. */
async function settle(query: Query, key: string, outcome: Outcome, alsoFrom: PaymentState): Promise<boolean> {
  const { transaction, facilitator, settledAtMs, receipt } = outcome
  const values = [key, transaction, facilitator ?? null, settledAtMs, receipt ?? null, alsoFrom]
  return (await query(SETTLE, values)).count === 1
}

function valuesOf(claim: Claim, state: PaymentState, receipt: StoredReply['receipt']): unknown[] {
  const { key, id, identifier, fingerprint, productId, request, payer, network, asset, amount } = claim
  const { payTo, payment, claimedAtMs } = claim
  const what = [key, id, identifier ?? null, state, fingerprint, productId, request, payer, network, asset]
  return [...what, amount, payTo, payment, claimedAtMs, receipt ?? null]
}
