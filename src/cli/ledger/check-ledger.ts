import { loadConfig } from '../../config/config.ts'
import { databaseName } from '../../core/addresses/database-address.ts'
import { countText } from '../../core/count-text.ts'
import { countRows, ledgerPath, readLedger } from '../../ledger/files/ledger-file.ts'
import type { Query } from '../../ledger/postgres/database.ts'
import { findDatabaseLedger } from '../../ledger/postgres/identity/find-ledger.ts'
import { onDatabase } from '../../ledger/postgres/on-database.ts'
import { inOneMoment } from '../../ledger/postgres/one-moment.ts'
import { checkDatabaseSales } from '../../ledger/postgres/sales/check-sales.ts'
import { NEWEST_VERSION, versionOf } from '../../ledger/sqlite/migrations.ts'
import { findMoved } from '../../ledger/sqlite/moved-mark.ts'
import { checkSales } from '../../ledger/sqlite/sales/check-sales.ts'
import { parseOptions } from '../terminal/parse-options.ts'
import { type Fault, runCommand } from '../terminal/run-command.ts'
import { checkNamed, PASSWORD_HELP } from './database-backup.ts'
import { describeLedger } from './ledger-lines.ts'

const HELP = `usage: tollbook check-ledger [--database <postgres://user@host:5432/database>]

Adds up every payment in the ledger of TOLLBOOK_DATA_DIR and compares the result with the sums that reports
read. It changes nothing, and the service may be running. It reads every row: a minute or more for millions.

  --database  the ledger in a database; that of DATABASE_URL where it is set. ${PASSWORD_HELP}`

export async function run(args: string[]): Promise<void> {
  await runCommand(HELP, parse(args), check)
}

function parse(args: string[]): { database: string | undefined } | 'help' | Fault {
  const options = { database: { type: 'string' } } as const
  return parseOptions(args, { options }, ({ values }) => ({ database: values.database }))
}

async function check({ database }: { database: string | undefined }): Promise<void> {
  const { dataDir, databaseUrl } = loadConfig()
  const url = database ?? databaseUrl?.reveal()
  if (url !== undefined) return checkDatabase(url)
  const file = ledgerPath(dataDir)
  const { facts, movedTo, faults } = readLedger(file, (db) => {
    if (versionOf(db) !== NEWEST_VERSION)
      throw new Error(`${file} is of an earlier release: start the service once, which brings it up to date`)
    // One transaction: the service may be selling meanwhile.
    db.exec('BEGIN')
    const found = { facts: countRows(db), movedTo: findMoved(db), faults: checkSales(db) }
    db.exec('COMMIT')
    return found
  })
  process.stdout.write(`${file}: ${describeLedger(facts)}\n`)
  if (movedTo !== undefined)
    process.stdout.write(
      `it was moved to ${movedTo}, which serves in its place: set DATABASE_URL or pass --database to check that\n`,
    )
  tellFaults(faults)
}

/** The same sums, of the same moment as the payments. */
async function checkDatabase(url: string): Promise<void> {
  checkNamed(url)
  const check = async (query: Query) => {
    if (!(await findDatabaseLedger(query, databaseName(url))).identity)
      throw new Error(`there is no ledger in ${databaseName(url)}`)
    const { rows } = await query(
      "SELECT count(*) AS payments, count(*) FILTER (WHERE state = 'settled') AS settled FROM payments",
    )
    return { rows, faults: await checkDatabaseSales(query) }
  }
  const { rows, faults } = await onDatabase(url, (database) => inOneMoment(database, check), {
    isPatient: true,
  })
  const { payments, settled } = rows[0] ?? {}
  process.stdout.write(
    `${databaseName(url)}: ${countText(Number(payments), 'payment')}, ${settled} of them settled\n`,
  )
  tellFaults(faults)
}

function tellFaults(faults: readonly string[]): void {
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  if (faults.length > 0)
    throw new Error(
      'the sums that reports read are not those of the payments, which are right: tell the makers',
    )
  process.stdout.write('the sums that reports read are those of the payments\n')
}
