import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { ledgerPath } from '../../ledger/files/ledger-file.ts'
import { placeOf } from '../../ledger/files/place.ts'
import { holdServiceLock } from '../../ledger/files/service-lock.ts'
import type { Store } from '../../ledger/ports/store.ts'
import { openSqliteStore } from '../../ledger/sqlite/store.ts'
import { admitLedger } from './admit-ledger.ts'
import { newLedgerId } from './ledger-id.ts'
import { warnOfOldLedger } from './old-ledger.ts'
import { openPaidAddresses } from './paid-addresses.ts'

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
    const store = openSqliteStore(file, { clock, admit: admitLedger(config, file) })
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
