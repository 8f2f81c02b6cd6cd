import { existsSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { findDatabaseNote, notePath, writeDatabaseNote } from '../../ledger/files/database-note.ts'
import { refuseHalfRestored } from '../../ledger/files/half-restored.ts'
import { ledgerPath, viewLedger } from '../../ledger/files/ledger-file.ts'
import { type FoundLedger, findObjections, toMessage } from '../../ledger/identity/objections.ts'
import type { LedgerIdentity } from '../../ledger/ports/ledger-identity.ts'
import type { Database } from '../../ledger/postgres/database.ts'
import { bindDatabase } from '../../ledger/postgres/identity/bind.ts'
import { findDatabaseLedger } from '../../ledger/postgres/identity/find-ledger.ts'
import type { AdmitDatabase } from '../../ledger/postgres/open-ledger.ts'
import { hasHistory, readIdentity } from '../../ledger/sqlite/identity-book.ts'
import { checkLedgerFile } from '../../ledger/sqlite/ledger-fault.ts'
import { findMoved } from '../../ledger/sqlite/moved-mark.ts'
import { besideOthers } from './beside-others.ts'
import { newLedgerId } from './ledger-id.ts'
import { openPaidAddresses, readWanted } from './paid-addresses.ts'
import { refusePlayFiles } from './play-files.ts'

type Settings = Pick<Config, 'mode' | 'payTo' | 'dataDir'>

/**
 * Lets only a ledger in a database be used that is of this mode, of these addresses, whole, no copy, and the one that
 * this data directory is served from. Writes nothing.
 */
export function admitDatabase(config: Settings, name: string): AdmitDatabase {
  refuseHalfRestored(config.dataDir)
  refusePlayFiles(config)
  return async ({ query }) => refuse(config, await findDatabaseLedger(query, name))
}

/**
 * Binds a new ledger to mode and addresses, and the data directory to the ledger. Its tables must be there. Another
 * process may have bound it since it was admitted: who is not of that mode and those addresses is refused.
 */
export async function bindToDatabase(
  config: Settings,
  database: Database,
  name: string,
): Promise<LedgerIdentity> {
  const wanted = { ledgerId: newLedgerId(), mode: config.mode, payTo: openPaidAddresses(config) }
  const identity = await bindDatabase(database, name, wanted)
  const found = await findDatabaseLedger(database.query, name)
  refuse(config, found)
  writeDatabaseNote(config.dataDir, { ledgerId: identity.ledgerId, name, place: found.place })
  return identity
}

function refuse(config: Settings, found: FoundLedger): void {
  // First: what else is wrong with a ledger that is not ours is not ours to mend.
  refuseOtherDatabase(config.dataDir, found)
  const [objection] = findObjections(besideOthers(config.dataDir, found), readWanted(config))
  if (objection) throw new Error(toMessage(objection))
  refuseFile(config.dataDir, found)
}

/** Another database than last time would know nothing of what was sold, and take every payment again. */
export function refuseOtherDatabase(dataDir: string, { name, identity }: FoundLedger): void {
  const note = findDatabaseNote(dataDir)
  if (note && note.ledgerId !== identity?.ledgerId)
    throw new Error(
      `${dataDir} is served from the ledger ${note.ledgerId} in ${note.name}, and ${name} holds ${identity ? `another one, ${identity.ledgerId}` : 'none'}: ` +
        `correct DATABASE_URL; if the other ledger never serves again, remove ${notePath(dataDir)}`,
    )
}

/** A file that could be served from beside the database would sell two goods for one payment. */
function refuseFile(dataDir: string, { name, identity }: FoundLedger): void {
  const file = ledgerPath(dataDir)
  checkLedgerFile(file)
  if (!existsSync(file)) return
  const own = viewLedger(file, (db) => ({
    identity: readIdentity(db),
    hasHistory: hasHistory(db),
    movedTo: findMoved(db),
  }))
  if (!own.identity && !own.hasHistory) return
  if (own.movedTo !== undefined && own.identity?.ledgerId === identity?.ledgerId) return
  throw new Error(
    own.movedTo === undefined
      ? `${file} is a ledger that was not moved to ${name}, and two ledgers with one payee sell two goods for one payment: ` +
          'move it with ./tollbook ledger copy --to <database>, or name another directory in TOLLBOOK_DATA_DIR'
      : `${file} was moved to ${own.movedTo}, and ${name} does not hold its ledger: correct DATABASE_URL, or name another directory in TOLLBOOK_DATA_DIR`,
  )
}
