import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '../config/config.ts'
import { backupLedger } from '../ledger/files/backup.ts'
import { ledgerPath } from '../ledger/files/ledger-file.ts'

const HELP = `usage: tollbook backup <file>

Copies the ledger of TOLLBOOK_DATA_DIR into one file that only you can read, checks the copy and
says what is in it. The service may be running. An existing file is never overwritten.
Keys and chain state in the data directory are not part of it.
`
const USAGE_EXIT = 2

export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) return void process.stdout.write(HELP)
  const [target, ...more] = positionals
  if (target === undefined || more.length > 0) {
    process.stderr.write(HELP)
    process.exitCode = USAGE_EXIT
    return
  }
  try {
    const { dataDir } = readConfig(process.env)
    const { payments, settled, replies } = backupLedger(ledgerPath(dataDir), target)
    process.stdout.write(
      `${target}: ${payments} payments, ${settled} of them settled, ${replies} stored replies\n`,
    )
  } catch (error) {
    process.stderr.write(`tollbook: ${explain(error)}\n`)
    process.exitCode = 1
  }
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return [error.message, ...error.problems].join('\n  ')
  return error instanceof Error ? error.message : String(error)
}
