import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { databaseName } from '../../core/addresses/database-address.ts'
import { stayWith } from '../../ledger/postgres/identity/same-ledger.ts'
import { findDatabaseSigner } from '../../ledger/postgres/identity/service-key.ts'
import { type Leadership, openLeadership } from '../../ledger/postgres/leader/leadership.ts'
import { openLedgerDatabase } from '../../ledger/postgres/open-ledger.ts'
import { numberOfPayments } from '../../ledger/postgres/payments/number-of-payments.ts'
import { createPostgresStore } from '../../ledger/postgres/store.ts'
import { createSingleFlight } from '../../upstreams/rules/single-flight.ts'
import { admitDatabase, bindToDatabase } from './admit-database.ts'
import type { LedgerInput, OpenLedger } from './opened-ledger.ts'
import { refuseWrongClock } from './refuse-wrong-clock.ts'
import { openSharedServiceKey } from './shared-service-key.ts'

/** A ledger that several processes may have. Where this one may lead it asks for that from now on. */
export async function openDatabaseLedger(
  { config, clock, log }: LedgerInput,
  url: string,
): Promise<OpenLedger> {
  const name = databaseName(url)
  const database = await openLedgerDatabase(url, admitDatabase(config, name), log)
  const bind = async () => {
    await refuseWrongClock(database, clock)
    // Before its place is compared: what is put back after this has another one, or another number.
    const payments = await numberOfPayments(database.query)
    return { payments, ...(await bindToDatabase(config, database, name)) }
  }
  const { place, payments } = await bind().catch(async (error) => {
    await database.close()
    throw error
  })
  const checkLedger = stayWith(place, payments, name)
  database.checkConnections(checkLedger)
  const leadership =
    config.role === 'api'
      ? undefined
      : openLeadership({ url, holder: thisProcess(), clock, log, checkLedger })
  const store = createPostgresStore(database, clock, leadership ?? NEVER, payments)
  const askLedger = async () => {
    await store.ping()
    // It may be set while the process runs.
    await refuseWrongClock(database, clock)
  }
  const flights = createSingleFlight()
  // Who asks gives up before a database that hangs does: the connections are there for sales.
  const ping = () => flights.join('ping', undefined, askLedger)
  return {
    ...{ store: { ...store, ping }, isShared: true, leadership },
    findSigner: () => findDatabaseSigner(database.query),
    openKey: () =>
      openSharedServiceKey(database, config.dataDir, clock.now(), { mayMake: config.role !== 'api' }),
    async close() {
      // First what it still has to write, then the leadership under which it does.
      await store.close()
      await leadership?.close()
    },
  }
}

const NEVER: Pick<Leadership, 'term'> = { term: () => undefined }

/** In a container every process has the same number. */
const RUN = randomBytes(4).toString('hex')
/** For those who look for whoever leads. */
export const thisProcess = () => `process ${process.pid} (${RUN}) on ${hostname()}`
