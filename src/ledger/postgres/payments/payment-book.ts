import { parseAtomic } from '../../../core/money.ts'
import type { Claim, PaymentRow, PaymentState, StoredReply } from '../../ports/payment-book.ts'
import type { Outcome, PaymentBookQueries, PaymentLedger } from '../../ports/payment-book-queries.ts'
import { settledRow } from '../../settled-row.ts'
import type { Database, Query } from '../database.ts'
import { findRow, listRows, selectRows, toRow } from './payment-row.ts'

const INSERT = `
  INSERT INTO payments (key, id, identifier, state, fingerprint, product_id, request, payer, network, asset, amount,
    pay_to, payment, boot_id, claimed_at_ms, receipt)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
  ON CONFLICT DO NOTHING`
const BY_KEY = selectRows('WHERE p.key = $1')
const BY_IDENTIFIER = selectRows('WHERE p.identifier = $1')
const BY_ID = selectRows('WHERE p.id = $1')
const UNFINISHED = selectRows(
  "WHERE p.state IN ('claimed', 'settling') AND p.boot_id <> $1 ORDER BY p.claimed_at_ms, p.seq",
)
const PREPARE = `
  WITH prepared AS (
    UPDATE payments SET state = 'settling', receipt = $3
    WHERE key = $1 AND boot_id = $2 AND state = 'claimed' RETURNING seq
  )
  INSERT INTO replies (payment, text, as_of_ms) SELECT seq, $4, $5 FROM prepared`
const ENTER = `
  WITH entered AS (${INSERT} RETURNING seq)
  INSERT INTO replies (payment, text, as_of_ms) SELECT seq, $17, $18 FROM entered`
const SETTLE = `
  UPDATE payments SET state = 'settled', revived = (state = 'void'), tx = $2, facilitator = $3, settled_at_ms = $4,
    receipt = coalesce($5, receipt)
  WHERE key = $1 AND state IN ('settling', $6)`
const VOID = "UPDATE payments SET state = 'void' WHERE key = $1 AND state = 'settling'"
const RELEASE = "DELETE FROM payments WHERE key = $1 AND boot_id = $2 AND state = 'claimed'"

/** What was in the way of a claim may be released before it is read: then the claim is tried again. */
const CLAIM_TRIES = 5

/** Every step is one conditional statement: a second attempt changes nothing. */
export function createPostgresPaymentBook(
  { query }: Database,
  onSettled: () => void,
): Omit<PaymentLedger, keyof PaymentBookQueries> {
  return {
    async claim(claim) {
      parseAtomic(claim.amount)
      for (let tried = 0; tried < CLAIM_TRIES; tried++) {
        if (await insert(query, claim)) return { fresh: true }
        const row = await findHolder(query, claim)
        if (row) return { fresh: false, row }
      }
      throw new Error('the same id was given to two purchases')
    },
    prepare: async (key, bootId, { text, asOfMs, receipt }) =>
      (await query(PREPARE, [key, bootId, receipt ?? null, text, asOfMs ?? null])).count === 1,
    enter: async (claim, { text, asOfMs, receipt }) => {
      const values = [...valuesOf(claim, 'settling', receipt), text, asOfMs ?? null]
      return (await query(ENTER, values)).count === 1
    },
    async settle(key, outcome, known) {
      onSettled()
      if (known && (await settle(query, key, outcome, 'settling'))) return settledRow(known, outcome)
      await settle(query, key, outcome, 'void')
      const { rows } = await query(BY_KEY, [key])
      return rows[0] && { ...toRow(rows[0]), revived: rows[0].revived === true }
    },
    void: async (key) => void (await query(VOID, [key])),
    release: async (key, bootId) => void (await query(RELEASE, [key, bootId])),
    find: (key) => findRow(query, BY_KEY, [key]),
    findByIdentifier: (identifier) => findRow(query, BY_IDENTIFIER, [identifier]),
    findById: (id) => findRow(query, BY_ID, [id]),
    unfinished: (exceptBootId) => listRows(query, UNFINISHED, [exceptBootId]),
  }
}

const insert = async (query: Query, claim: Claim): Promise<boolean> =>
  (await query(INSERT, valuesOf(claim, 'claimed', undefined))).count === 1

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
  const { payTo, payment, bootId, claimedAtMs } = claim
  const what = [key, id, identifier ?? null, state, fingerprint, productId, request, payer, network, asset]
  return [...what, amount, payTo, payment, bootId, claimedAtMs, receipt ?? null]
}
