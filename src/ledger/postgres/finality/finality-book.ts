import {
  type FinalityBook,
  type FinalityOverview,
  type Finding,
  type Mark,
  type SettledPayment,
  UNDONE_LISTED,
  UNDONE_STATES,
  type UndonePayment,
  type UndoneState,
} from '../../ports/finality-book.ts'
import { findNumber, findText } from '../columns.ts'
import type { Columns, Database, Query } from '../database.ts'
import { toSum } from '../sales/parts.ts'

const SETTLED = `p.seq, p.key, p.payer, p.product_id, p.network, p.amount, p.payment, p.claimed_at_ms, p.tx,
  p.settled_at_ms`
const UNDONE = `SELECT ${SETTLED}, u.state, u.found_at_ms, u.new_tx, u.decided_at_ms
  FROM undone_payments u JOIN payments p ON p.seq = u.payment`
const MARK = 'SELECT settled_at_ms, seq FROM finality_marks WHERE network = $1'
const MARKS = 'SELECT network, settled_at_ms, seq FROM finality_marks ORDER BY network'
const AFTER = `
  SELECT ${SETTLED} FROM payments p
  WHERE p.state = 'settled' AND (p.settled_at_ms, p.seq) > ($1, $2) AND p.settled_at_ms <= $3
  ORDER BY p.settled_at_ms, p.seq LIMIT $4`
const UNDECIDED = `${UNDONE}
  WHERE u.state IN ('unseen', 'open') AND (u.state = 'open' OR u.found_at_ms >= $1)
    AND u.payment > coalesce((SELECT seq FROM payments WHERE key = $2), 0)
  ORDER BY u.payment LIMIT $3`
const PAYERS = `
  SELECT p.payer, max(u.decided_at_ms) AS lost_at_ms, bool_or(u.state = 'open') AS is_open
  FROM undone_payments u JOIN payments p ON p.seq = u.payment
  WHERE u.state = 'open' OR (u.state = 'lost' AND u.decided_at_ms >= $1) GROUP BY p.payer`
const SUMS = `
  SELECT u.state, count(*) AS sales, sum(p.atomic) AS revenue
  FROM undone_payments u JOIN payments p ON p.seq = u.payment GROUP BY u.state`
const NEWEST = `${UNDONE} ORDER BY u.found_at_ms DESC, u.payment DESC LIMIT ${UNDONE_LISTED}`
const KEEP = `
  INSERT INTO undone_payments (payment, state, found_at_ms, new_tx, decided_at_ms)
  SELECT p.seq, $2, $3, $4, $5 FROM payments p WHERE p.key = $1 ON CONFLICT DO NOTHING`
const DECIDE = `
  UPDATE undone_payments SET state = $2, new_tx = $3, decided_at_ms = $4
  WHERE payment = (SELECT seq FROM payments WHERE key = $1) AND state IN ('unseen', 'open') AND state <> $2`
const SET_MARK = `
  INSERT INTO finality_marks VALUES ($1, $2, $3)
  ON CONFLICT (network) DO UPDATE SET settled_at_ms = excluded.settled_at_ms, seq = excluded.seq`

export function createPostgresFinalityBook({ query, transaction }: Database): FinalityBook {
  return {
    mark: async (network) => toMark((await query(MARK, [network])).rows[0] ?? {}),
    async settledAfter(network, { settledAtMs, seq }, untilMs, limit) {
      const { rows } = await query(AFTER, [settledAtMs, seq, untilMs, limit])
      const last = rows.at(-1)
      const own = rows.filter((row) => row.network === network)
      return {
        rows: own.map((row) => ({ ...toSettled(row), mark: toMark(row) })),
        readTo: last && toMark(last),
      }
    },
    pass: (network, { settledAtMs, seq }, findings) =>
      transaction(async (statements) => {
        for (const finding of findings) await statements.query(KEEP, kept(finding))
        await statements.query(SET_MARK, [network, settledAtMs, seq])
      }),
    async decide({ key, state, transaction: tx, atMs }) {
      const values = [key, state, tx ?? null, isDecided(state) ? atMs : null]
      return (await query(DECIDE, values)).count === 1
    },
    undecided: async ({ unseenSinceMs, afterKey = '', limit }) =>
      (await query(UNDECIDED, [unseenSinceMs, afterKey, limit])).rows.map(toUndone),
    payersUndone: async (lostSinceMs) =>
      (await query(PAYERS, [lostSinceMs])).rows.map((row) => ({
        payer: String(row.payer),
        lostAtMs: row.is_open === true ? undefined : findNumber(row.lost_at_ms),
      })),
    overview: () => readOverview(query),
  }
}

const isDecided = (state: UndoneState) => state === 'paid' || state === 'lost'

const kept = ({ key, state, transaction, atMs }: Finding) => [
  key,
  state,
  atMs,
  transaction ?? null,
  isDecided(state) ? atMs : null,
]

async function readOverview(query: Query): Promise<FinalityOverview> {
  const sums = (await query(SUMS)).rows
  const sumOf = (state: UndoneState) => toSum(sums.find((row) => row.state === state) ?? {})
  return {
    marks: (await query(MARKS)).rows.map((row) => ({ network: String(row.network), ...toMark(row) })),
    undone: Object.fromEntries(
      UNDONE_STATES.map((state) => [state, sumOf(state)]),
    ) as FinalityOverview['undone'],
    newest: (await query(NEWEST)).rows.map(toUndone),
  }
}

const toMark = ({ settled_at_ms, seq }: Columns): Mark => ({
  settledAtMs: Number(settled_at_ms ?? 0),
  seq: Number(seq ?? 0),
})

function toSettled(row: Columns): SettledPayment {
  return {
    key: String(row.key),
    payer: String(row.payer),
    productId: String(row.product_id),
    network: String(row.network),
    amount: String(row.amount),
    payment: String(row.payment),
    claimedAtMs: Number(row.claimed_at_ms),
    transaction: String(row.tx),
    settledAtMs: Number(row.settled_at_ms),
  }
}

function toUndone(row: Columns): UndonePayment {
  return {
    ...toSettled(row),
    // The table's own CHECK allows no other text.
    state: String(row.state) as UndoneState,
    foundAtMs: Number(row.found_at_ms),
    newTransaction: findText(row.new_tx),
    decidedAtMs: findNumber(row.decided_at_ms),
  }
}
