import { parseArgs } from 'node:util'
import { loadConfig } from '../config/config.ts'
import { systemClock } from '../core/time/clock.ts'
import { restoreLedger } from '../ledger/files/restore.ts'
import { explain, type Fault, runCommand } from './run-command.ts'

const HELP = `usage: tollbook restore <file> [--force]

Replaces the ledger of TOLLBOOK_DATA_DIR with a backup. Stop the service first.
  --force  also where a ledger exists; it is kept under another name

The restored ledger does not know payments made after the backup: their buyers can no longer fetch
their stored replies, and revenue figures leave them out. The replaced ledger still has them.
`

export async function run(args: string[]): Promise<void> {
  await runCommand(HELP, parse(args), restore)
}

type Options = { backup: string; force: boolean }

function parse(args: string[]): Options | 'help' | Fault {
  try {
    const options = {
      help: { type: 'boolean', short: 'h' },
      force: { type: 'boolean', default: false },
    } as const
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    if (values.help) return 'help'
    const [backup, ...more] = positionals
    if (backup === undefined || more.length > 0) return { fault: 'name one backup to restore' }
    return { backup, force: values.force }
  } catch (error) {
    return { fault: explain(error) }
  }
}

async function restore({ backup, force }: Options): Promise<void> {
  const { dataDir } = loadConfig()
  const restored = restoreLedger({ dataDir, backup, force, nowMs: systemClock.now() })
  const { payments, settled, replies, kept } = restored
  process.stdout.write(
    `restored: ${payments} payments, ${settled} of them settled, ${replies} stored replies\n`,
  )
  if (kept) process.stdout.write(`the ledger before it is kept as ${kept}\n`)
}
