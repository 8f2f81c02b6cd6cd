import type { DatabaseSync } from 'node:sqlite'
import type {
  FinalityBook,
  FinalityOverview,
  Finding,
  Mark,
  SettledPayment,
  UndonePayment,
  UndoneState,
} from '../../ports/finality-book.ts'
import { UNDONE_LISTED, UNDONE_STATES } from '../../ports/finality-book.ts'
import { type Columns, findNumber, findText, prepareExact } from '../columns.ts'
import type { GroupCommit } from '../group-commit.ts'
import { HALF } from '../sales/sales-tables.ts'
import { toSum } from '../sales/sums.ts'

const SETTLED = `p.seq, p.key, p.payer, p.product_id, p.network, p.amount, p.payment, p.claimed_at_ms, p.tx,
  p.settled_at_ms`
const UNDONE = `SELECT ${SETTLED}, u.state, u.found_at_ms, u.new_tx, u.decided_at_ms
  FROM undone_payments u JOIN payments p ON p.seq = u.payment`

/** The index of settled rows ends with their number, so it has them in the order of marks. */
export const AFTER = `
  SELECT ${SETTLED} FROM payments p INDEXED BY payments_settled
  WHERE p.state = 'settled' AND (p.settled_at_ms, p.seq) > (?, ?) AND p.settled_at_ms <= ?
  ORDER BY p.settled_at_ms, p.seq LIMIT ?`
const UNDECIDED = `${UNDONE}
  WHERE u.state IN ('unseen', 'open') AND (u.state = 'open' OR u.found_at_ms >= :unseenSinceMs)
    AND u.payment > coalesce((SELECT seq FROM payments WHERE key = :afterKey), 0)
  ORDER BY u.payment LIMIT :limit`
const PAYERS = `
  SELECT p.payer, max(u.decided_at_ms) AS lost_at_ms, max(u.state = 'open') AS is_open
  FROM undone_payments u JOIN payments p ON p.seq = u.payment
  WHERE u.state = 'open' OR (u.state = 'lost' AND u.decided_at_ms >= ?) GROUP BY p.payer`
const SUMS = `
  SELECT u.state, count(*) AS sales, sum(p.atomic / ${HALF}) AS high, sum(p.atomic % ${HALF}) AS low
  FROM undone_payments u JOIN payments p ON p.seq = u.payment GROUP BY u.state`

export function createSqliteFinalityBook(db: DatabaseSync, commit: GroupCommit): FinalityBook {
  const mark = db.prepare('SELECT settled_at_ms, seq FROM finality_marks WHERE network = ?')
  const after = db.prepare(AFTER)
  const undecided = db.prepare(UNDECIDED)
  const payers = db.prepare(PAYERS)
  const write = prepareWrites(db)
  const overview = prepareOverview(db)
  return {
    mark: (network) => commit.read(() => toMark(mark.get(network) ?? {})),
    settledAfter: (network, { settledAtMs, seq }, untilMs, limit) =>
      commit.read(() => {
        const found = after.all(settledAtMs, seq, untilMs, limit)
        const rows = found.filter((row) => row.network === network)
        const last = found.at(-1)
        return {
          rows: rows.map((row) => ({ ...toSettled(row), mark: toMark(row) })),
          readTo: last && toMark(last),
        }
      }),
    pass: (network, to, findings) =>
      commit.write(() => {
        for (const finding of findings) write.keep(finding)
        write.mark(network, to)
      }),
    decide: (finding) => commit.write(() => write.decide(finding)),
    undecided: ({ unseenSinceMs, afterKey = '', limit }) =>
      commit.read(() => undecided.all({ unseenSinceMs, afterKey, limit }).map(toUndone)),
    payersUndone: (lostSinceMs) =>
      commit.read(() =>
        payers.all(lostSinceMs).map((row) => ({
          payer: String(row.payer),
          lostAtMs: row.is_open === 1 ? undefined : findNumber(row.lost_at_ms),
        })),
      ),
    overview: () => commit.read(overview),
  }
}

function prepareWrites(db: DatabaseSync) {
  const keep = db.prepare(`
    INSERT INTO undone_payments (payment, state, found_at_ms, new_tx, decided_at_ms)
    SELECT p.seq, ?, ?, ?, ? FROM payments p
    WHERE p.key = ? AND NOT EXISTS (SELECT 1 FROM undone_payments u WHERE u.payment = p.seq)`)
  const decide = db.prepare(`
    UPDATE undone_payments SET state = ?, new_tx = ?, decided_at_ms = ?
    WHERE payment = (SELECT seq FROM payments WHERE key = ?) AND state IN ('unseen', 'open') AND state <> ?`)
  const mark = db.prepare(`
    INSERT INTO finality_marks VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET settled_at_ms = excluded.settled_at_ms, seq = excluded.seq`)
  return {
    keep({ key, state, transaction, atMs }: Finding): void {
      keep.run(state, atMs, transaction ?? null, isDecided(state) ? atMs : null, key)
    },
    decide: ({ key, state, transaction, atMs }: Finding): boolean =>
      decide.run(state, transaction ?? null, isDecided(state) ? atMs : null, key, state).changes === 1,
    mark: (network: string, { settledAtMs, seq }: Mark): void => void mark.run(network, settledAtMs, seq),
  }
}

const isDecided = (state: UndoneState) => state === 'paid' || state === 'lost'

function prepareOverview(db: DatabaseSync): () => FinalityOverview {
  const marks = db.prepare('SELECT network, settled_at_ms, seq FROM finality_marks ORDER BY network')
  const sums = prepareExact(db, SUMS)
  const newest = db.prepare(`${UNDONE} ORDER BY u.found_at_ms DESC, u.payment DESC LIMIT ${UNDONE_LISTED}`)
  return () => {
    const found = sums.all()
    const sumOf = (state: UndoneState) => toSum(found.find((row) => row.state === state) ?? {})
    return {
      marks: marks.all().map((row) => ({ network: String(row.network), ...toMark(row) })),
      undone: Object.fromEntries(
        UNDONE_STATES.map((state) => [state, sumOf(state)]),
      ) as FinalityOverview['undone'],
      newest: newest.all().map(toUndone),
    }
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
