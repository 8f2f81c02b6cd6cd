import { databaseName, findDatabaseFault } from '../../core/addresses/database-address.ts'
import { countText } from '../../core/count-text.ts'
import { SERVICE } from '../../core/service.ts'
import { systemClock } from '../../core/time/clock.ts'
import { dumpLedger } from '../../ledger/dump/dump-ledger.ts'
import { type Manifest, manifestPath } from '../../ledger/dump/manifest.ts'
import { restoreDump } from '../../ledger/dump/restore-dump.ts'
import { readKeyFiles } from '../../ledger/files/key-files.ts'
import { ONE_LEDGER } from './ledger-lines.ts'

export const PASSWORD_HELP = `Leave the password out, because other users see the command
              line: set PGPASSWORD, or use a file ~/.pgpass
`
export const DATABASE_BACKUP_HELP = `
  --database  dumps the ledger of a database in place of the one of TOLLBOOK_DATA_DIR, that of
              DATABASE_URL where it is set, with pg_dump, and writes
              <file>.manifest.json beside it: what must be in it. No keys are in it. ${PASSWORD_HELP}`
export const DATABASE_RESTORE_HELP = `  --database  puts a backup of a database into another, empty one and compares it with the manifest beside the
              backup. ${PASSWORD_HELP}`

/** Throws where it is none. */
export function checkNamed(url: string): void {
  const fault = findDatabaseFault(url)
  if (fault) throw new Error(`what --database names ${fault}`)
}

type Backup = { url: string; target: string; dataDir: string }

export async function backupDatabase({ url, target, dataDir }: Backup): Promise<void> {
  checkNamed(url)
  const manifest = await dumpLedger({ url, target, nowMs: systemClock.now(), release: SERVICE.version })
  const keys = [...readKeyFiles(dataDir).keys()]
  const lines = [
    `${target}: ${describe(manifest)}`,
    `${manifestPath(target)}: what must be in it; keep the two together`,
    `NO KEYS are in it: copy ${keys.length > 0 ? `${keys.join(', ')} of ${dataDir}` : 'those of the data directory'} as well; docs/runbook.md tells what stops without each`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

export async function restoreDatabase({ url, dump }: { url: string; dump: string }): Promise<void> {
  checkNamed(url)
  const manifest = await restoreDump({ url, dump })
  process.stdout.write(
    `restored to ${databaseName(url)}, and the same as the manifest: ${describe(manifest)}\n` +
      `It is a copy: a start refuses it until it is adopted\n\n${ONE_LEDGER}`,
  )
}

function describe({ stock }: Manifest): string {
  const payments = Object.values(stock.payments).reduce((sum, { count }) => sum + count, 0)
  const settled = stock.payments.settled?.count ?? 0
  const leaves = stock.newest_head?.tree_size ?? '0'
  return `ledger ${stock.ledger_id} of ${stock.mode} mode, ${countText(payments, 'payment')}, ${settled} of them settled, a record of ${leaves} leaves`
}
