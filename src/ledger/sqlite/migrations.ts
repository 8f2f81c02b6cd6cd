import type { DatabaseSync } from 'node:sqlite'
import { PAYMENT_KEEPS } from '../kept-columns.ts'
import { BOT } from './bot/bot-tables.ts'
import { PAPER } from './bot/paper-tables.ts'
import { COMMUNITY } from './community/community-tables.ts'
import { FINALITY } from './finality/finality-tables.ts'
import { keeps } from './guards.ts'
import { IDENTITY } from './identity-table.ts'
import { MOVED } from './moved-mark.ts'
import { OPERATOR } from './operator/operator-tables.ts'
import { RECORD, RECORD_MODE } from './record-tables.ts'
import { SALES } from './sales/sales-tables.ts'
import { SIGN_IN } from './sign-in/sign-in-tables.ts'
import { inTransaction } from './transaction.ts'
import { UPTIME } from './uptime-tables.ts'

/** `TLBK`: marks a SQLite file as a ledger. */
export const APPLICATION_ID = 0x544c424b

const DEMO_CALLS = `
  CREATE TABLE demo_calls (
    day INTEGER NOT NULL,
    client TEXT NOT NULL,
    used INTEGER NOT NULL CHECK (used >= 0),
    PRIMARY KEY (day, client)
  ) STRICT, WITHOUT ROWID;
`

/** The code changes states with `UPDATE … WHERE state = …`; the triggers also stop code that forgets the condition. */
const PAYMENTS = `
  PRAGMA application_id = ${APPLICATION_ID};
  CREATE TABLE payments (
    seq INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    id TEXT NOT NULL UNIQUE,
    identifier TEXT UNIQUE,
    state TEXT NOT NULL CHECK (state IN ('claimed', 'settling', 'settled', 'void')),
    fingerprint TEXT NOT NULL,
    product_id TEXT NOT NULL,
    request TEXT NOT NULL,
    payer TEXT NOT NULL,
    network TEXT NOT NULL,
    asset TEXT NOT NULL,
    amount TEXT NOT NULL CHECK (
      amount NOT GLOB '*[^0-9]*' AND length(amount) <= 18 AND amount = CAST(CAST(amount AS INTEGER) AS TEXT)
    ),
    atomic INTEGER NOT NULL GENERATED ALWAYS AS (CAST(amount AS INTEGER)) STORED,
    pay_to TEXT NOT NULL,
    payment TEXT NOT NULL,
    boot_id TEXT NOT NULL,
    claimed_at_ms INTEGER NOT NULL,
    facilitator TEXT,
    tx TEXT,
    settled_at_ms INTEGER,
    receipt TEXT,
    revived INTEGER NOT NULL DEFAULT 0 CHECK (revived IN (0, 1)),
    CHECK ((state = 'settled') = (tx IS NOT NULL)),
    CHECK ((state = 'settled') = (settled_at_ms IS NOT NULL))
  ) STRICT;
  CREATE INDEX payments_unfinished ON payments (claimed_at_ms) WHERE state IN ('claimed', 'settling');
  CREATE INDEX payments_settled ON payments (settled_at_ms, product_id, network, payer, atomic) WHERE state = 'settled';
  CREATE INDEX payments_payer ON payments (payer, settled_at_ms, atomic) WHERE state = 'settled';
  CREATE INDEX payments_tx ON payments (lower(tx)) WHERE tx IS NOT NULL;
  CREATE TABLE replies (
    payment INTEGER PRIMARY KEY REFERENCES payments (seq) ON DELETE RESTRICT,
    text TEXT NOT NULL,
    as_of_ms INTEGER
  ) STRICT;
  CREATE TRIGGER payments_move_forward BEFORE UPDATE ON payments
  WHEN (OLD.state || ' ' || NEW.state) NOT IN ('claimed settling', 'settling settled', 'settling void', 'void settled')
  BEGIN SELECT RAISE(ABORT, 'a payment only moves forward'); END;
  CREATE TRIGGER payments_stay BEFORE DELETE ON payments WHEN OLD.state <> 'claimed'
  BEGIN SELECT RAISE(ABORT, 'only a claim can be released'); END;
`

/** A claim belongs to who knows its id, and its owner renews it. */
const LEASES = `
  DROP TRIGGER payments_move_forward;
  ALTER TABLE payments DROP COLUMN boot_id;
  CREATE TRIGGER payments_move_forward BEFORE UPDATE ON payments
  WHEN (OLD.state || ' ' || NEW.state)
    NOT IN ('claimed claimed', 'claimed settling', 'settling settled', 'settling void', 'void settled')
  BEGIN SELECT RAISE(ABORT, 'a payment only moves forward'); END;
`

const USAGE = `
  CREATE TABLE usage (
    day INTEGER NOT NULL,
    product_id TEXT NOT NULL,
    via TEXT NOT NULL CHECK (via IN ('paid', 'demo', 'holder', 'free')),
    status INTEGER NOT NULL,
    calls INTEGER NOT NULL CHECK (calls > 0),
    timed INTEGER NOT NULL,
    total_ms REAL NOT NULL,
    max_ms REAL NOT NULL,
    PRIMARY KEY (day, product_id, via, status)
  ) STRICT, WITHOUT ROWID;
`

/** Applied in order, each once, never edited after release: add the next one at the end. */
const MIGRATIONS: readonly string[] = [
  DEMO_CALLS,
  PAYMENTS,
  USAGE,
  RECORD,
  RECORD_MODE,
  IDENTITY,
  BOT + PAPER + OPERATOR,
  SIGN_IN,
  COMMUNITY,
  UPTIME,
  SALES,
  FINALITY,
  LEASES,
  MOVED,
  keeps('payments', PAYMENT_KEEPS),
]
export const NEWEST_VERSION = MIGRATIONS.length

/** `version` is for tests and benchmarks, which write what an earlier release wrote. */
export function migrate(db: DatabaseSync, version = NEWEST_VERSION): void {
  while (versionOf(db) !== version) inTransaction(db, () => step(db))
}

/** Throws unless the database is a ledger that this release can open, or empty. Ledgers are marked from version 2 on. */
export function checkOurs(db: DatabaseSync, file: string): void {
  const version = versionOf(db)
  const mark = Number(db.prepare('PRAGMA application_id').get()?.application_id ?? 0)
  const isEmpty = !db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get()
  const isFirst =
    version === 1 && db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'demo_calls'").get() !== undefined
  if (mark !== APPLICATION_ID && !(mark === 0 && (isEmpty || isFirst)))
    throw new Error(
      `${file} is not a ledger but the database of another program: name another file or directory`,
    )
  if (version > NEWEST_VERSION)
    throw new Error(
      `${file} is of a newer release, its version is ${version} and ours ${NEWEST_VERSION}: start that release`,
    )
}

export function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0)
}

/** Reads the version again: another process may have migrated meanwhile. */
function step(db: DatabaseSync): void {
  const version = versionOf(db)
  const next = MIGRATIONS[version]
  if (next) db.exec(`${next} PRAGMA user_version = ${version + 1}`)
}
