import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { DAY_MS } from '../../src/core/time/time.ts'
import { migrate } from '../../src/ledger/sqlite/migrations.ts'

/** The release before sums were kept: opening the file makes them, as it does for an operator. */
const BEFORE_SUMS = 10
const PRODUCTS = 60
const CACHE_KB = 1_000_000

export type LargeLedger = { sales: number; days: number; payers: number; untilMs: number }

/** The wallet that has bought most: one sale in ten. */
export const LARGEST_PAYER = payerText('0')
/** Bought one in a thousand. */
export const OWN_PAYER = payerText('1')

/** Payments that are settled, spread evenly over the days, written without any care for a power cut. */
export function writeLargeLedger(file: string, { sales, days, payers, untilMs }: LargeLedger): void {
  closeSync(openSync(file, 'wx', 0o600))
  const db = new DatabaseSync(file)
  db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KB}`)
  migrate(db, BEFORE_SUMS)
  const indexes = db
    .prepare(`SELECT name, sql FROM sqlite_schema WHERE tbl_name = 'payments' AND sql LIKE 'CREATE INDEX%'`)
    .all()
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`)
  db.exec('BEGIN')
  db.prepare(INSERT).run({ sales, payers, stepMs: (days * DAY_MS) / sales, fromMs: untilMs - days * DAY_MS })
  db.exec('COMMIT')
  // Much faster than keeping them up to date with every row.
  for (const { sql } of indexes) db.exec(String(sql))
  db.close()
}

function payerText(n: string): string {
  return `0x${n.padStart(40, '0')}`
}

/** Which wallet: the largest, our own, or one of the others as a hash of the number says. */
const PAYER = `CASE WHEN n % 10 = 0 THEN 0 WHEN n % 1000 = 1 THEN 1 ELSE 2 + (n * 2654435761) % 4294967296 % :payers END`
const INSERT = `
  WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < :sales)
  INSERT INTO payments (key, id, state, fingerprint, product_id, request, payer, network, asset, amount, pay_to, payment,
    claimed_at_ms, facilitator, tx, settled_at_ms, receipt)
  SELECT printf('eip155:8453/usdc/%012d', n), printf('id%012d', n), 'settled', 'f', 'product.' || (n * 7919 % ${PRODUCTS}),
    'GET /price/BTC', printf('0x%040d', ${PAYER}), iif(n % 4 = 0, 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'eip155:8453'),
    'usdc', '1000', 'us', '{}', CAST(:fromMs + n * :stepMs AS INTEGER), 'f', printf('0x%064d', n),
    CAST(:fromMs + n * :stepMs AS INTEGER), 'receipt'
  FROM numbers`
