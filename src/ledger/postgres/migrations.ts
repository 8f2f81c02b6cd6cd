import { errorCode } from '../../core/describe-error.ts'
import { type Log, silentLog } from '../../core/log.ts'
import { type Clock, sleep, systemClock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { PAYMENT_KEEPS } from '../kept-columns.ts'
import { BASICS } from './basic-tables.ts'
import { BOT } from './bot/bot-tables.ts'
import { PAPER } from './bot/paper-tables.ts'
import { COMMUNITY } from './community/community-tables.ts'
import type { Database, Statements } from './database.ts'
import { FINALITY } from './finality/finality-tables.ts'
import { keeps } from './guards.ts'
import { COPYING } from './identity/copy-mark.ts'
import { IDENTITY } from './identity/identity-book.ts'
import { SERVICE_KEY } from './identity/service-key.ts'
import { LEADER } from './leader/leader-table.ts'
import { OPERATOR } from './operator/operator-tables.ts'
import { PAYMENTS } from './payments/payment-tables.ts'
import { RECORD } from './record/record-tables.ts'
import { SALES } from './sales/sales-tables.ts'
import { SIGN_IN } from './sign-in/sign-in-book.ts'
import { UPTIME } from './uptime/uptime-tables.ts'
import { USAGE } from './usage.ts'

/**
 * Applied in order, each once, never edited after release: add the next one at the end. One that makes a table `payments`
 * anew gives it another number, and processes of the release before sell nothing from then on (`same-ledger.ts`).
 */
const MIGRATIONS: readonly string[] = [
  BASICS + IDENTITY,
  PAYMENTS + SALES + FINALITY,
  USAGE + RECORD + SIGN_IN,
  BOT + PAPER,
  OPERATOR + COMMUNITY + UPTIME,
  COPYING + SERVICE_KEY,
  LEADER,
  keeps('payments', PAYMENT_KEEPS),
]
export const NEWEST_VERSION = MIGRATIONS.length

/** Any number, the same in every release: one process at a time brings a database up to date. */
export const MIGRATION_LOCK = 0x544c424b

/** While a step waits for a table, every sale waits behind it, also those of a release that still runs. */
const TABLE_WITHIN_MS = 2 * SECOND_MS
/** What came to wait behind a step is done meanwhile. */
const PAUSE_MS = 5 * SECOND_MS
/** About an hour. Then the start fails, and the next one goes on with it. */
const TRIES = 500
/** The server's word for a lock that was not had in time. */
const NOT_IN_TIME = '55P03'

const VERSIONS = `
  CREATE TABLE IF NOT EXISTS ledger_versions (
    version integer PRIMARY KEY,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`

type Options = { clock?: Clock; log?: Pick<Log, 'warn'> }

/** Brings the database up to date, step by step; each is all or nothing and can be begun again. */
export async function migrate(
  database: Pick<Database, 'transaction'>,
  { clock = systemClock, log = silentLog }: Options = {},
): Promise<void> {
  let failed = 0
  let isTold = false
  const begins = (version: number) => {
    // A new ledger is made in a moment.
    if (version > 0 && !isTold)
      log.warn({}, 'the ledger is brought up to date, and nothing is served until that is done')
    isTold = true
  }
  for (;;)
    try {
      if (!(await database.transaction((statements) => step(statements, begins)))) return
    } catch (error) {
      if (errorCode(error) !== NOT_IN_TIME || ++failed === TRIES) throw error
      if (failed === 1)
        log.warn({}, 'another session keeps a table that has to change, and sales go on: it is tried again')
      await sleep(clock, PAUSE_MS)
    }
}

/** Patient with another process that migrates, and with what a change takes, but not with tables that others keep. */
const BEGIN = `
  SET LOCAL statement_timeout = 0;
  SET LOCAL lock_timeout = 0;
  SELECT pg_advisory_xact_lock(${MIGRATION_LOCK});
  SET LOCAL lock_timeout = ${TABLE_WITHIN_MS};
  ${VERSIONS}`

/** False when nothing is left to do. Reads the version again: another process may have migrated meanwhile. */
async function step({ query, exec }: Statements, begins: (version: number) => void): Promise<boolean> {
  await exec(BEGIN)
  const { rows } = await query('SELECT coalesce(max(version), 0) AS version FROM ledger_versions')
  const version = Number(rows[0]?.version)
  if (version > NEWEST_VERSION)
    throw new Error(
      `the database is of a newer release, its version is ${version} and ours ${NEWEST_VERSION}: start that release`,
    )
  const next = MIGRATIONS[version]
  if (next === undefined) return false
  begins(version)
  await exec(next)
  await query('INSERT INTO ledger_versions (version) VALUES ($1)', [version + 1])
  return true
}
