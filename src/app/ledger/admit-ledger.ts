import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { findDatabaseNote, notePath } from '../../ledger/files/database-note.ts'
import { findLedger } from '../../ledger/files/find-ledger.ts'
import { refuseHalfRestored } from '../../ledger/files/half-restored.ts'
import { readKeyFiles } from '../../ledger/files/key-files.ts'
import { findObjections, toMessage } from '../../ledger/identity/objections.ts'
import type { Admit } from '../../ledger/sqlite/database.ts'
import { KEYS_FILE, PLACES_FILE } from '../../sandbox/state-files.ts'
import { readWanted } from './paid-addresses.ts'
import { refusePlayFiles } from './play-files.ts'

/** Lets only a ledger of this mode, of these addresses and no copy be opened. Writes nothing. */
export function admitLedger(config: Pick<Config, 'mode' | 'payTo' | 'dataDir'>, file: string): Admit {
  refuseHalfRestored(config.dataDir)
  refusePlayFiles(config)
  refuseServedFromDatabase(config.dataDir, file)
  refuseLostLedger(config.dataDir, file)
  const wanted = readWanted(config)
  return (db) => {
    const [objection] = findObjections(findLedger(db, file), wanted)
    if (objection) throw new Error(toMessage(objection))
  }
}

/** Where there is a file, what it says of itself comes first. */
function refuseServedFromDatabase(dataDir: string, file: string): void {
  const note = existsSync(file) ? undefined : findDatabaseNote(dataDir)
  if (note)
    throw new Error(
      `${dataDir} is served from ${note.name}, and a second ledger would sell two goods for one payment: ` +
        `set DATABASE_URL to that database; if it never serves again, remove ${notePath(dataDir)}, and the keys beside it to begin anew`,
    )
}

/** Keys are made after the ledger: where they are and it is not, it was lost, and a new one would forget every sale. */
function refuseLostLedger(dataDir: string, file: string): void {
  // A sandbox of its own process makes its keys without a ledger.
  const isOfSandbox = (name: string) => name === KEYS_FILE && existsSync(join(dataDir, PLACES_FILE))
  const keys = existsSync(file) ? [] : [...readKeyFiles(dataDir).keys()].filter((name) => !isOfSandbox(name))
  if (keys.length > 0)
    throw new Error(
      `${file} is gone and ${keys.join(' and ')} beside it ${keys.length > 1 ? 'are' : 'is'} still there, so a ledger that was here is lost: ` +
        'put a backup back with ./tollbook restore <backup>; ' +
        `to start anew without it, move the keys away, or name another directory in TOLLBOOK_DATA_DIR`,
    )
}
