import type { DatabaseSync } from 'node:sqlite'
import { MODES, type Mode } from '../../config/variables/variable.ts'
import type { IdentityBook, LedgerIdentity, PaidAddresses } from '../ports/ledger-identity.ts'
import type { GroupCommit } from './group-commit.ts'

export function createSqliteIdentityBook(db: DatabaseSync, commit: GroupCommit): IdentityBook {
  return {
    find: () => commit.read(() => readIdentity(db)),
    save: (identity) => commit.write(() => writeIdentity(db, identity)),
  }
}

/** Also of a ledger of an earlier release, which has no such table. */
export function readIdentity(db: DatabaseSync): LedgerIdentity | undefined {
  if (!hasTable(db, 'ledger_identity')) return undefined
  const row = db.prepare('SELECT * FROM ledger_identity').get()
  if (!row) return undefined
  return {
    ledgerId: String(row.ledger_id),
    mode: MODES.find((mode) => mode === row.mode) as Mode,
    payTo: { evm: String(row.pay_to_evm), svm: String(row.pay_to_svm) },
    place: String(row.place),
  }
}

export function writeIdentity(db: DatabaseSync, { ledgerId, mode, payTo, place }: LedgerIdentity): void {
  const row = { ledgerId, mode, evm: payTo.evm, svm: payTo.svm, place }
  const { changes } = db
    .prepare(`UPDATE ledger_identity
      SET ledger_id = :ledgerId, mode = :mode, pay_to_evm = :evm, pay_to_svm = :svm, place = :place`)
    .run(row)
  if (changes > 0) return
  db.prepare('INSERT INTO ledger_identity VALUES (1, :ledgerId, :mode, :evm, :svm, :place)').run(row)
}

/** Tables with a row in them once anybody has called the service or the record has begun. */
const HISTORY = ['payments', 'record_leaves', 'usage']

/** False for a ledger that was made and never used. */
export function hasHistory(db: DatabaseSync): boolean {
  return HISTORY.some((table) => hasTable(db, table) && db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get())
}

/** How many payments there are, and how many of them to these addresses. */
export function countPaidTo(
  db: DatabaseSync,
  payTo: PaidAddresses | undefined,
): { all: number; ours: number } {
  const row = db
    .prepare(`SELECT count(*) AS n, sum(lower(pay_to) = lower(?) OR pay_to = ?) AS ours FROM payments`)
    .get(payTo?.evm ?? '', payTo?.svm ?? '')
  return { all: Number(row?.n), ours: Number(row?.ours ?? 0) }
}

export function hasTable(db: DatabaseSync, name: string): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined
}
