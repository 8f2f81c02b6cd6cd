import { moveLedger } from '../../app/ledger/move-ledger.ts'
import { loadConfig } from '../../config/config.ts'
import { databaseName } from '../../core/addresses/database-address.ts'
import { countText } from '../../core/count-text.ts'
import { systemClock } from '../../core/time/clock.ts'
import { CopyDiffersError } from '../../ledger/copy/copy-ledger.ts'
import { type Comparison, isSame } from '../../ledger/copy/verify/difference.ts'
import { checkRecovered } from '../../ledger/dump/check-recovered.ts'
import { readManifest } from '../../ledger/dump/manifest.ts'
import { parseOptions } from '../terminal/parse-options.ts'
import { type Fault, runCommand } from '../terminal/run-command.ts'
import { timeOf, toTable } from '../terminal/table.ts'
import { checkNamed } from './database-backup.ts'

const HELP = `usage: tollbook ledger copy --to <postgres://user@host:5432/database>
       tollbook ledger check --database <postgres://user@host:5432/database> --at <file>.manifest.json

copy moves the embedded ledger of TOLLBOOK_DATA_DIR to PostgreSQL: copies it into an empty database, compares the two,
and marks the file, so that no service starts on it again. Stop the service first, and make a backup. What is cut
off or fails leaves the file in service, and a database that no service starts on: run it again.

  --to  the database. Leave the password out, because other users see the command line: set PGPASSWORD, or use a
        file ~/.pgpass. A schema is named with ?options=-c%20search_path%3D<schema>

check says whether a database that was recovered to a point in time is at least as new as the manifest of a backup:
what was signed and settled by then must be there.
`
/** A line each so many rows of a table. */
const TOLD_EVERY = 50_000

export async function run(args: string[]): Promise<void> {
  await runCommand(HELP, parse(args), async (options) =>
    'to' in options ? copy({ url: options.to }) : check(options),
  )
}

type Options = { to: string } | { database: string; at: string }

function parse(args: string[]): Options | 'help' | Fault {
  const options = { to: { type: 'string' }, database: { type: 'string' }, at: { type: 'string' } } as const
  return parseOptions(args, { options, allowPositionals: true }, ({ values, positionals }) => {
    const [word, ...more] = positionals
    if (more.length > 0 || (word !== 'copy' && word !== 'check'))
      return { fault: 'say what to do: copy or check' }
    const { to, database, at } = values
    if (word === 'copy') return to === undefined ? { fault: 'name the database with --to' } : { to }
    return database === undefined || at === undefined
      ? { fault: 'name the database with --database and the manifest of a backup with --at' }
      : { database, at }
  })
}

async function copy({ url }: { url: string }): Promise<void> {
  const nowMs = systemClock.now()
  const { name, outcome } = await moveLedger({
    config: loadConfig(),
    url,
    nowMs,
    onRows: createTeller(),
  }).catch(tellDifferences)
  if (outcome === 'already')
    return void process.stdout.write(`${name} has this ledger already: set DATABASE_URL to it\n`)
  process.stdout.write(`\n${compared(outcome.comparisons)}\n`)
  for (const [table, count] of outcome.replaced)
    process.stdout.write(
      `${table}: ${countText(count, 'text')} had a NUL character, which PostgreSQL cannot hold; U+FFFD is in its place\n`,
    )
  process.stdout.write(
    `moved: the ledger is in ${name}, and the same. Set DATABASE_URL to it; no service starts on the file any more\n`,
  )
}

async function check({ database, at }: { database: string; at: string }): Promise<void> {
  checkNamed(database)
  const manifest = readManifest(at)
  const losses = await checkRecovered(database, manifest)
  for (const loss of losses) process.stdout.write(`${loss}\n`)
  if (losses.length > 0)
    throw new Error(
      'the database is not what the service had by then: do not serve from it, recover to a later time',
    )
  process.stdout.write(
    `all that was signed and settled by ${timeOf(manifest.made_at_ms)} is in ${databaseName(database)}\n`,
  )
}

function createTeller(): (table: string, done: number) => void {
  let told = 0
  return (table, done) => {
    if (done < told) told = 0
    if (Math.floor(done / TOLD_EVERY) === Math.floor(told / TOLD_EVERY)) return
    told = done
    process.stdout.write(`${table}: ${done} rows\n`)
  }
}

const compared = (comparisons: readonly Comparison[]) =>
  toTable([
    ['', 'file', 'database', ''],
    ...comparisons.map((line) => [line.what, line.source, line.target, isSame(line) ? '' : 'DIFFERS']),
  ])

function tellDifferences(error: unknown): never {
  if (error instanceof CopyDiffersError) process.stdout.write(`\n${compared(error.comparisons)}\n`)
  throw error
}
