import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { findLedger } from '../../ledger/files/find-ledger.ts'
import { refuseHalfRestored } from '../../ledger/files/half-restored.ts'
import { ledgerPath } from '../../ledger/files/ledger-file.ts'
import { placeOf } from '../../ledger/files/place.ts'
import { holdServiceLock } from '../../ledger/files/service-lock.ts'
import { findObjections, toMessage } from '../../ledger/identity/objections.ts'
import type { Store } from '../../ledger/ports/store.ts'
import { openSqliteStore } from '../../ledger/sqlite/store.ts'
import { newLedgerId } from './ledger-id.ts'
import { warnOfOldLedger } from './old-ledger.ts'
import { openPaidAddresses, readWanted } from './paid-addresses.ts'
import { refusePlayFiles } from './play-files.ts'

type Input = { config: Pick<Config, 'mode' | 'payTo' | 'dataDir'>; clock: Clock; log: Log }
type OpenLedger = { store: Store; close(): Promise<void> }

/**
 * The ledger of this data directory, if it is one of this mode, of these addresses and no copy. A start that is refused
 * has made no key, sent nothing and changed nothing in the ledger.
 */
export async function openLedger({ config, clock, log }: Input): Promise<OpenLedger> {
  const { dataDir } = config
  const file = ledgerPath(dataDir)
  warnOfOldLedger(config, log)
  const lock = holdServiceLock(dataDir)
  try {
    refuseHalfRestored(dataDir)
    refusePlayFiles(config)
    const wanted = readWanted(config)
    const store = openSqliteStore(file, {
      clock,
      admit: (db) => {
        const [objection] = findObjections(findLedger(db, file), wanted)
        if (objection) throw new Error(toMessage(objection))
      },
    })
    const close = async () => {
      await store.close()
      lock.release()
    }
    try {
      await bind(store, config, file)
      return { store, close }
    } catch (error) {
      await store.close()
      throw error
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Writes the identity of a new ledger, and the place of one that was moved. */
async function bind(store: Store, config: Input['config'], file: string): Promise<void> {
  const place = placeOf(file)
  const identity = await store.identity.find()
  if (identity?.place === place) return
  await store.identity.save({
    ledgerId: identity?.ledgerId ?? newLedgerId(),
    mode: config.mode,
    payTo: identity?.payTo ?? openPaidAddresses(config),
    place,
  })
}
