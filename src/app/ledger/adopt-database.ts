import type { Config } from '../../config/config.ts'
import { databaseName } from '../../core/addresses/database-address.ts'
import { silentLog } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { writeDatabaseNote } from '../../ledger/files/database-note.ts'
import { holdServiceLock } from '../../ledger/files/service-lock.ts'
import { findObjections, type Objection, toMessage } from '../../ledger/identity/objections.ts'
import { createPostgresBotBook } from '../../ledger/postgres/bot/bot-book.ts'
import type { Database } from '../../ledger/postgres/database.ts'
import { findDatabaseLedger } from '../../ledger/postgres/identity/find-ledger.ts'
import { createPostgresIdentityBook, findIdentity } from '../../ledger/postgres/identity/identity-book.ts'
import { placeOfDatabase } from '../../ledger/postgres/identity/place.ts'
import { openLeadership } from '../../ledger/postgres/leader/leadership.ts'
import { migrate } from '../../ledger/postgres/migrations.ts'
import { onDatabase } from '../../ledger/postgres/on-database.ts'
import { refuseOtherDatabase } from './admit-database.ts'
import type { Adoption, Agreement } from './adopt-ledger.ts'
import { toSimText } from './back-to-sim-mode.ts'
import { besideOthers } from './beside-others.ts'
import { thisProcess } from './open-database-ledger.ts'
import { openPaidAddresses, readWanted } from './paid-addresses.ts'
import { takeLead } from './take-lead.ts'

type Input = { config: Pick<Config, 'mode' | 'payTo' | 'dataDir'>; url: string; clock: Clock }

/** No yes settles these. */
const FINAL: readonly Objection['kind'][] = ['mode', 'half-copied', 'unbound']

/** As `adoptLedger`, for a ledger in a database that no process serves from. */
export async function adoptDatabase(
  { config, url, clock }: Input,
  { confirm }: Pick<Agreement, 'confirm'>,
): Promise<Adoption> {
  const lock = holdServiceLock(config.dataDir)
  const adopt = async (database: Database): Promise<Adoption> => {
    const found = await findDatabaseLedger(database.query, databaseName(url))
    const objections = findObjections(besideOthers(config.dataDir, found), readWanted(config))
    const refused = objections.find(({ kind }) => FINAL.includes(kind))
    if (refused) throw new Error(toMessage(refused))
    refuseOtherDatabase(config.dataDir, found)
    if (objections.length === 0) return 'nothing to adopt'
    if (!(await confirm(objections))) return 'refused'
    await migrate(database)
    const adoption = await bindAlone({ config, url, clock }, database)
    await note(config.dataDir, database, databaseName(url))
    return adoption
  }
  try {
    return await onDatabase(url, adopt)
  } finally {
    lock.release()
  }
}

/** The bot goes back to simulated money before the ledger may serve: one that is cut off in between is adopted again. */
async function bindAlone({ config, url, clock }: Input, database: Database): Promise<Adoption> {
  const leadership = openLeadership({ url, holder: thisProcess(), clock, log: silentLog })
  try {
    await takeLead(leadership, url)
    const wasLive = await backToSimMode(database, clock.now())
    const identity = await findIdentity(database.query)
    if (!identity) throw new Error(`${databaseName(url)} holds no ledger`)
    const place = await placeOfDatabase(database.query, databaseName(url))
    await createPostgresIdentityBook(database).save({ ...identity, payTo: openPaidAddresses(config), place })
    return wasLive ? 'adopted, no longer live' : 'adopted'
  } finally {
    await leadership.close()
  }
}

/** From now on this directory takes every other copy of the ledger for one. */
async function note(dataDir: string, { query }: Database, name: string): Promise<void> {
  const { identity, place } = await findDatabaseLedger(query, name)
  if (identity) writeDatabaseNote(dataDir, { ledgerId: identity.ledgerId, name, place })
}

async function backToSimMode(database: Database, atMs: number): Promise<boolean> {
  const book = createPostgresBotBook(database)
  const [row] = await book.configs({ limit: 1, offset: 0 })
  const text = row && toSimText(row.text)
  if (!row || text === undefined) return false
  return book.addConfig({ version: row.version + 1, atMs, by: 'adopt', text })
}
