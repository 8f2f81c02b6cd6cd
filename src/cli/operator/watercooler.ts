import { useLedger } from '../../app/ledger/use-ledger.ts'
import { loadConfig } from '../../config/config.ts'
import { systemClock } from '../../core/time/clock.ts'
import type { MessageRow, WatercoolerBook } from '../../ledger/ports/watercooler-book.ts'
import { parseOptions } from '../terminal/parse-options.ts'
import { type Fault, runCommand } from '../terminal/run-command.ts'
import { timeOf, toTable } from '../terminal/table.ts'

const DEFAULT_LAST = 50
const MAX_LAST = 5_000

const HELP = `usage: tollbook watercooler list [--last <n>]
       tollbook watercooler remove <id>

What visitors said at GET /api/watercooler. The service may be running: a removed message is gone at once.

  list    the newest messages, newest first: ${DEFAULT_LAST}, or --last, with their ids
  remove  removes one message for good, and prints it
`

type Task = { kind: 'list'; last: number } | { kind: 'remove'; id: number }

export async function run(args: string[]): Promise<void> {
  await runCommand(HELP, parse(args), watercooler)
}

function parse(args: string[]): Task | 'help' | Fault {
  const options = { last: { type: 'string' } } as const
  return parseOptions(args, { options, allowPositionals: true }, ({ values, positionals }) => {
    const [kind, ...rest] = positionals
    if (kind === 'list') return rest.length > 0 ? strayWord(rest[0]) : toList(values.last)
    if (kind !== 'remove') return { fault: 'watercooler needs a task: list or remove' }
    if (values.last !== undefined)
      return { fault: '--last means nothing to watercooler remove: leave it out' }
    const [id = '', ...more] = rest
    if (!/^[1-9]\d{0,14}$/.test(id) || more.length > 0)
      return { fault: 'name one message by its id: tollbook watercooler list shows them' }
    return { kind, id: Number(id) }
  })
}

const strayWord = (word = '') => ({ fault: `${JSON.stringify(word)} means nothing here: leave it out` })

function toList(last = String(DEFAULT_LAST)): Task | Fault {
  const count = /^\d{1,4}$/.test(last) ? Number(last) : 0
  if (count < 1 || count > MAX_LAST)
    return { fault: `--last ${JSON.stringify(last)} must be a whole number from 1 to ${MAX_LAST}` }
  return { kind: 'list', last: count }
}

async function watercooler(task: Task): Promise<void> {
  const told = await useLedger({ config: loadConfig(), clock: systemClock }, ({ watercooler: book }) =>
    task.kind === 'list' ? list(book, task.last) : remove(book, task.id),
  )
  process.stdout.write(told)
}

async function list(book: WatercoolerBook, last: number): Promise<string> {
  const rows = await book.newest(last)
  return rows.length === 0 ? 'nobody has said anything\n' : toTable(rows.map(toLine))
}

async function remove(book: WatercoolerBook, id: number): Promise<string> {
  const row = await book.remove(id)
  if (!row) throw new Error(`there is no message ${id}: tollbook watercooler list shows them`)
  return `removed ${toLine(row).join('  ')}\n`
}

/** In quotes: what strangers wrote stays within them. */
const toLine = ({ id, atMs, author, message }: MessageRow): string[] => [
  String(id),
  timeOf(atMs),
  JSON.stringify(author),
  JSON.stringify(message),
]
