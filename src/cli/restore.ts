import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '../config/config.ts'
import { systemClock } from '../core/clock.ts'
import { restoreLedger } from '../ledger/files/restore.ts'

const HELP = `usage: tollbook restore <file> [--force]

Puts a backup in the place of the ledger of TOLLBOOK_DATA_DIR. Stop the service first.
  --force  also when there is a ledger already; that one is kept aside under another name

Payments made after the backup are unknown to the restored ledger: their buyers can no longer fetch
a stored reply, and sums are lower by them. The ledger kept aside still has them.
`
const USAGE_EXIT = 2

export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' }, force: { type: 'boolean', default: false } },
  })
  if (values.help) return void process.stdout.write(HELP)
  const [backup, ...more] = positionals
  if (backup === undefined || more.length > 0) {
    process.stderr.write(HELP)
    process.exitCode = USAGE_EXIT
    return
  }
  try {
    process.stdout.write(restore(backup, values.force))
  } catch (error) {
    process.stderr.write(`tollbook: ${explain(error)}\n`)
    process.exitCode = 1
  }
}

function restore(backup: string, force: boolean): string {
  const { dataDir } = readConfig(process.env)
  const restored = restoreLedger({ dataDir, backup, force, nowMs: systemClock.now() })
  const { payments, settled, replies, kept } = restored
  const facts = `restored: ${payments} payments, ${settled} of them settled, ${replies} stored replies\n`
  return kept ? `${facts}the ledger before it is kept as ${kept}\n` : facts
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return [error.message, ...error.problems].join('\n  ')
  return error instanceof Error ? error.message : String(error)
}
