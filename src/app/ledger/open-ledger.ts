import { findSigner } from '../../ledger/files/find-signer.ts'
import { ledgerPath } from '../../ledger/files/ledger-file.ts'
import { placeOf } from '../../ledger/files/place.ts'
import { holdServiceLock } from '../../ledger/files/service-lock.ts'
import type { Store } from '../../ledger/ports/store.ts'
import { openSqliteStore } from '../../ledger/sqlite/store.ts'
import { openServiceKey } from '../../payments/receipts/service-key.ts'
import { admitLedger } from './admit-ledger.ts'
import { newLedgerId } from './ledger-id.ts'
import { warnOfOldLedger } from './old-ledger.ts'
import { openDatabaseLedger } from './open-database-ledger.ts'
import type { LedgerInput, OpenLedger } from './opened-ledger.ts'
import { openPaidAddresses } from './paid-addresses.ts'

/**
 * The ledger of this data directory, in a file or in a database, if it is one of this mode, of these addresses and no
 * copy. A start that is refused has made no key, sent nothing and changed nothing in the ledger.
 */
export async function openLedger(input: LedgerInput): Promise<OpenLedger> {
  const { dataDir, databaseUrl, role } = input.config
  // Several processes of a machine may share the keys; what each of them writes is in the database.
  const lock = role === 'all' ? holdServiceLock(dataDir) : { release() {} }
  try {
    const opened = databaseUrl
      ? await openDatabaseLedger(input, databaseUrl.reveal())
      : await openFileLedger(input)
    return {
      ...opened,
      async close() {
        await opened.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

async function openFileLedger({ config, clock, log }: LedgerInput): Promise<OpenLedger> {
  const { dataDir } = config
  const file = ledgerPath(dataDir)
  warnOfOldLedger(config, log)
  const store = openSqliteStore(file, { clock, admit: admitLedger(config, file) })
  try {
    await bind(store, config, file)
  } catch (error) {
    await store.close()
    throw error
  }
  return {
    ...{ store, isShared: false, leadership: undefined, close: store.close },
    findSigner: async () => findSigner(file),
    openKey: async () => openServiceKey(dataDir, findSigner(file), clock.now()),
  }
}

/** Writes the identity of a new ledger, and the place of one that was moved. */
async function bind(store: Store, config: LedgerInput['config'], file: string): Promise<void> {
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
