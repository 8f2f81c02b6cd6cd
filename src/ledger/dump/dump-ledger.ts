import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { databaseName } from '../../core/addresses/database-address.ts'
import { explainFileFault } from '../../core/file-fault.ts'
import { flush, flushDirectory } from '../../core/flush.ts'
import { nameFile } from '../files/new-file.ts'
import type { Query } from '../postgres/database.ts'
import { onDatabase } from '../postgres/on-database.ts'
import { inOneMoment } from '../postgres/one-moment.ts'
import { countDumpedRows } from './count-dumped-rows.ts'
import { type Manifest, manifestPath, measure } from './manifest.ts'
import { reach, runTool } from './pg-tools.ts'
import { type Stock, takeStock } from './stock.ts'

type Input = { url: string; target: string; nowMs: number; release: string }

const PRIVATE = 0o600
const DRAFT_ID_BYTES = 6

/**
 * The ledger of a database in one file, with its manifest beside it, made while services keep writing. Both are of one
 * moment: the sums are read in the transaction whose snapshot is dumped. They appear once they are whole, checked and
 * on disk, and never replace others.
 */
export async function dumpLedger({ url, target, nowMs, release }: Input): Promise<Manifest> {
  checkTarget(target)
  const draft = `${target}.${randomBytes(DRAFT_ID_BYTES).toString('hex')}.draft`
  const drafts = { dump: draft, manifest: manifestPath(draft) }
  try {
    for (const file of Object.values(drafts)) closeSync(openSync(file, 'wx', PRIVATE))
    const stock = await dump(url, drafts.dump)
    compareCounts(stock, await countDumpedRows(drafts.dump))
    const measured = await measure(drafts.dump)
    const manifest = { format: 'tollbook-dump-1', made_at_ms: nowMs, release, dump: measured, stock } as const
    writeFileSync(drafts.manifest, `${JSON.stringify(manifest, null, 2)}\n`)
    for (const file of Object.values(drafts)) flush(file)
    nameFile(drafts.manifest, manifestPath(target))
    nameFile(drafts.dump, target)
    flushDirectory(dirname(target))
    return manifest
  } catch (error) {
    throw explainFileFault(dirname(target), error) ?? error
  } finally {
    for (const file of Object.values(drafts)) rmSync(file, { force: true })
  }
}

function checkTarget(target: string): void {
  for (const file of [target, manifestPath(target)])
    if (existsSync(file))
      throw new Error(`${file} exists already: backups are never overwritten, name another file`)
}

async function dump(url: string, file: string): Promise<Stock> {
  const { dbname, env } = reach(url)
  const take = async (query: Query) => {
    const stock = await takeStock(query, databaseName(url))
    const [row] = (await query('SELECT pg_export_snapshot() AS snapshot')).rows
    const args = [
      ...['--format=custom', '--no-owner', '--no-privileges', `--snapshot=${row?.snapshot}`],
      ...[`--schema=${stock.schema}`, `--file=${file}`, `--dbname=${dbname}`],
    ]
    await runTool('pg_dump', { args, env })
    return stock
  }
  return onDatabase(url, (database) => inOneMoment(database, take), { isPatient: true })
}

function compareCounts({ tables }: Stock, counts: ReadonlyMap<string, number>): void {
  const wrong = Object.entries(tables).filter(([table, { rows }]) => (counts.get(table) ?? 0) !== rows)
  if (wrong.length > 0)
    throw new Error(
      `the dump lacks rows of ${wrong.map(([table, { rows }]) => `${table} (${counts.get(table) ?? 0} of ${rows})`).join(', ')}: it was not kept`,
    )
}
