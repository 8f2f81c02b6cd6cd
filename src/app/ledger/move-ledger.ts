import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Config } from '../../config/config.ts'
import { databaseName, findDatabaseFault } from '../../core/addresses/database-address.ts'
import { type Copied, copyLedger } from '../../ledger/copy/copy-ledger.ts'
import { findLedger } from '../../ledger/files/find-ledger.ts'
import { refuseHalfRestored } from '../../ledger/files/half-restored.ts'
import { changeLedger, inspectLedger, ledgerPath, readLedger } from '../../ledger/files/ledger-file.ts'
import { holdServiceLock } from '../../ledger/files/service-lock.ts'
import { findObjections, toMessage } from '../../ledger/identity/objections.ts'
import type { LedgerIdentity } from '../../ledger/ports/ledger-identity.ts'
import type { Database } from '../../ledger/postgres/database.ts'
import { findCopying } from '../../ledger/postgres/identity/copy-mark.ts'
import { findDatabaseLedger } from '../../ledger/postgres/identity/find-ledger.ts'
import { onDatabase } from '../../ledger/postgres/on-database.ts'
import { checkLedgerFile } from '../../ledger/sqlite/ledger-fault.ts'
import { NEWEST_VERSION, versionOf } from '../../ledger/sqlite/migrations.ts'
import { markMoved } from '../../ledger/sqlite/moved-mark.ts'
import { readWanted } from './paid-addresses.ts'
import { refusePlayFiles } from './play-files.ts'

type Input = {
  config: Pick<Config, 'mode' | 'payTo' | 'dataDir'>
  /** Of the target; may have a password in it. */
  url: string
  nowMs: number
  onRows(table: string, done: number): void
}
export type Moved = { name: string; outcome: Copied | 'already' }

/** Copies the embedded ledger of a stopped service into a database, and marks the file as moved there. */
export async function moveLedger(input: Input): Promise<Moved> {
  const { config, url } = input
  const fault = findDatabaseFault(url)
  if (fault !== undefined) throw new Error(`what --to names ${fault}`)
  const file = ledgerPath(config.dataDir)
  if (!existsSync(file))
    throw new Error(`there is no ledger at ${file} to copy: correct TOLLBOOK_DATA_DIR or TOLLBOOK_MODE`)
  const lock = holdServiceLock(config.dataDir)
  try {
    return await onDatabase(url, (database) => moveTo(database, file, input), { isPatient: true })
  } finally {
    lock.release()
  }
}

async function moveTo(database: Database, file: string, input: Input): Promise<Moved> {
  const { config, url } = input
  refuseHalfRestored(config.dataDir)
  refusePlayFiles(config)
  checkLedgerFile(file)
  const name = databaseName(url)
  const target = await findDatabaseLedger(database.query, name)
  const copying = target.halfCopiedFrom === undefined ? undefined : await findCopying(database.query)
  const identity = admitSource(config, file, [copying?.ledgerId, target.identity?.ledgerId])
  inspectLedger(file, 'ledger')
  return { name, outcome: await copyFrom(file, { ...input, identity, database, name }) }
}

/** Only what a start would take. A file that is moved already is taken too where the target has, or waits for, its ledger. */
function admitSource(
  config: Input['config'],
  file: string,
  inTarget: readonly (string | undefined)[],
): LedgerIdentity {
  const found = readLedger(file, (db) => {
    if (versionOf(db) !== NEWEST_VERSION)
      throw new Error(`${file} is of an earlier release: start the service once, which brings it up to date`)
    return findLedger(db, file)
  })
  if (!found.identity)
    throw new Error(
      `${file} is bound to nothing yet: there is nothing in it to copy, start with DATABASE_URL instead`,
    )
  const mayBeMoved = inTarget.includes(found.identity.ledgerId)
  const objection = findObjections(found, readWanted(config)).find(
    ({ kind }) => kind !== 'moved' || !mayBeMoved,
  )
  if (objection) throw new Error(toMessage(objection))
  return found.identity
}

type Copying = Omit<Parameters<typeof copyLedger>[0], 'source' | 'file' | 'leaveSource'>

async function copyFrom(file: string, input: Copying): Promise<Copied | 'already'> {
  const source = new DatabaseSync(file, { readOnly: true })
  const leaveSource = () => changeLedger(file, (db) => markMoved(db, input.name, input.nowMs))
  try {
    const outcome = await copyLedger({ ...input, source, file, leaveSource })
    if (outcome === 'already') leaveSource()
    return outcome
  } finally {
    source.close()
  }
}
