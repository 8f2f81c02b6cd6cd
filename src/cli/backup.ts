import { parseArgs } from 'node:util'
import { loadConfig } from '../config/config.ts'
import { backupLedger } from '../ledger/files/backup.ts'
import { ledgerPath } from '../ledger/files/ledger-file.ts'
import { explain, type Fault, runCommand } from './run-command.ts'

const HELP = `usage: tollbook backup <file>

Copies the ledger of TOLLBOOK_DATA_DIR into one file that only you can read, checks the copy and
prints what is in it. The service may be running. An existing file is never overwritten.
The keys and the chain state in the data directory are not copied.
`

export async function run(args: string[]): Promise<void> {
  await runCommand(HELP, parse(args), backup)
}

function parse(args: string[]): { target: string } | 'help' | Fault {
  try {
    const options = { help: { type: 'boolean', short: 'h' } } as const
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    if (values.help) return 'help'
    const [target, ...more] = positionals
    return target === undefined || more.length > 0 ? { fault: 'name one file to write' } : { target }
  } catch (error) {
    return { fault: explain(error) }
  }
}

async function backup({ target }: { target: string }): Promise<void> {
  const { dataDir } = loadConfig()
  const { payments, settled, replies } = backupLedger(ledgerPath(dataDir), target)
  process.stdout.write(
    `${target}: ${payments} payments, ${settled} of them settled, ${replies} stored replies\n`,
  )
}
