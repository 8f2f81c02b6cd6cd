import type { Config } from '../../config/config.ts'
import { findLedger } from '../../ledger/files/find-ledger.ts'
import { refuseHalfRestored } from '../../ledger/files/half-restored.ts'
import { findObjections, toMessage } from '../../ledger/identity/objections.ts'
import type { Admit } from '../../ledger/sqlite/database.ts'
import { readWanted } from './paid-addresses.ts'
import { refusePlayFiles } from './play-files.ts'

/** Lets only a ledger of this mode, of these addresses and no copy be opened. Writes nothing. */
export function admitLedger(config: Pick<Config, 'mode' | 'payTo' | 'dataDir'>, file: string): Admit {
  refuseHalfRestored(config.dataDir)
  refusePlayFiles(config)
  const wanted = readWanted(config)
  return (db) => {
    const [objection] = findObjections(findLedger(db, file), wanted)
    if (objection) throw new Error(toMessage(objection))
  }
}
