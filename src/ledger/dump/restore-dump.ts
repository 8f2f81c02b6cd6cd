import { existsSync } from 'node:fs'
import { databaseName } from '../../core/addresses/database-address.ts'
import { fileBegins } from '../../core/file-begins.ts'
import type { Database } from '../postgres/database.ts'
import { onDatabase } from '../postgres/on-database.ts'
import { inOneMoment } from '../postgres/one-moment.ts'
import { checkDump, type Manifest, manifestPath, readManifest } from './manifest.ts'
import { reach, runTool } from './pg-tools.ts'
import { compareStock, takeStock } from './stock.ts'

type Input = { url: string; dump: string }

const SEARCH_PATH = "SELECT current_setting('search_path') AS path"
const TABLES = `
  SELECT relname AS name FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
  WHERE nspname = $1 AND relkind IN ('r', 'p', 'v', 'm', 'S') LIMIT 5`

/**
 * Puts a dump into an empty database and compares the two. Nothing is changed where the dump is not the one of its
 * manifest or the database has anything in it. A start refuses what was restored until it is adopted.
 */
export async function restoreDump({ url, dump }: Input): Promise<Manifest> {
  checkHasManifest(dump)
  const manifest = readManifest(manifestPath(dump))
  await checkDump(dump, manifest)
  const name = databaseName(url)
  const restore = async (database: Database) => {
    await checkEmpty(database, name, manifest.stock.schema)
    await putBack(url, dump, manifest.stock.schema)
    return inOneMoment(database, (query) => takeStock(query, name))
  }
  const found = await onDatabase(url, restore, { isPatient: true })
  const differences = compareStock(manifest.stock, found)
  if (differences.length > 0)
    throw new Error(
      `${name} is not what the manifest says, do not serve from it:\n  ${differences.join('\n  ')}`,
    )
  return manifest
}

const OF_SQLITE = 'SQLite format 3'

function checkHasManifest(dump: string): void {
  const manifest = manifestPath(dump)
  if (!existsSync(dump) || existsSync(manifest)) return
  throw new Error(
    fileBegins(dump, OF_SQLITE)
      ? `${dump} is a backup of a ledger in a file: leave --database out, and move the ledger to a database with ./tollbook ledger copy`
      : `${dump} has no ${manifest} beside it: put it there, ./tollbook backup --database wrote the two together; a dump that was made in another way cannot be compared, and is put back with pg_restore`,
  )
}

async function checkEmpty({ query, exec }: Database, name: string, schema: string): Promise<void> {
  const [row] = (await query(SEARCH_PATH)).rows
  const path = String(row?.path)
  const first = path.split(',').map((each) => each.trim().replaceAll('"', ''))
  if (first.find((each) => each !== '$user') !== schema)
    throw new Error(
      `the dump is of the schema ${schema}, and ${name} looks in ${path}: add ?options=-c%20search_path%3D${schema} to the address`,
    )
  const { rows } = await query(TABLES, [schema])
  if (rows.length > 0)
    throw new Error(
      `${name} is not empty, it has ${rows.map((each) => each.name).join(', ')}: a backup is only put into an empty database, make a new one (createdb)`,
    )
  await exec(`CREATE SCHEMA IF NOT EXISTS "${schema.replaceAll('"', '""')}"`)
}

async function putBack(url: string, dump: string, schema: string): Promise<void> {
  const { dbname, env } = reach(url)
  const args = [
    ...['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges'],
    ...[`--schema=${schema}`, `--dbname=${dbname}`, dump],
  ]
  await runTool('pg_restore', { args, env })
}
