import { refuseDatabase } from '../../app/ledger/refuse-database.ts'
import { loadConfig } from '../../config/config.ts'
import { countRows, ledgerPath, readLedger } from '../../ledger/files/ledger-file.ts'
import { NEWEST_VERSION, versionOf } from '../../ledger/sqlite/migrations.ts'
import { checkSales } from '../../ledger/sqlite/sales/check-sales.ts'
import { parseOptions } from '../terminal/parse-options.ts'
import { type Fault, runCommand } from '../terminal/run-command.ts'
import { describeLedger } from './ledger-lines.ts'

const HELP = `usage: tollbook check-ledger

Adds up every payment in the ledger of TOLLBOOK_DATA_DIR and compares the result with the sums that reports
read. It changes nothing, and the service may be running. It reads every row: a minute or more for millions.
`

export async function run(args: string[]): Promise<void> {
  await runCommand(HELP, parse(args), check)
}

function parse(args: string[]): object | 'help' | Fault {
  return parseOptions(args, { options: {} }, () => ({}))
}

async function check(): Promise<void> {
  const config = loadConfig()
  refuseDatabase(
    config,
    'no command adds up the payments of a database yet, and reports of it count every payment before they answer',
  )
  const file = ledgerPath(config.dataDir)
  const { facts, faults } = readLedger(file, (db) => {
    if (versionOf(db) !== NEWEST_VERSION)
      throw new Error(`${file} is of an earlier release: start the service once, which brings it up to date`)
    // One transaction: the service may be selling meanwhile.
    db.exec('BEGIN')
    const found = { facts: countRows(db), faults: checkSales(db) }
    db.exec('COMMIT')
    return found
  })
  process.stdout.write(`${describeLedger(facts)}\n`)
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  if (faults.length > 0)
    throw new Error(
      'the sums that reports read are not those of the payments, which are right: tell the makers',
    )
  process.stdout.write('the sums that reports read are those of the payments\n')
}
