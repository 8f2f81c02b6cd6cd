import type { Config } from '../../../config/config.ts'
import { databaseName } from '../../../core/addresses/database-address.ts'
import { describeError } from '../../../core/describe-error.ts'
import type { Secret } from '../../../core/secret.ts'
import { ServiceError } from '../../../core/service-error.ts'
import type { Signer } from '../../../ledger/files/find-signer.ts'
import type { Database, Query } from '../../../ledger/postgres/database.ts'
import { findDatabaseLedger } from '../../../ledger/postgres/identity/find-ledger.ts'
import { findDatabaseSigner } from '../../../ledger/postgres/identity/service-key.ts'
import { READ } from '../../../ledger/postgres/leader/leader-table.ts'
import { NEWEST_VERSION } from '../../../ledger/postgres/migrations.ts'
import { onDatabase } from '../../../ledger/postgres/on-database.ts'
import { isReadOnly } from '../../../ledger/postgres/writable.ts'
import { admitDatabase } from '../../ledger/admit-database.ts'
import { type Check, failure, ok } from '../check.ts'

type Settings = Pick<Config, 'mode' | 'payTo' | 'dataDir'>

/** A leader's session needs a limit that older ones do not know. */
const OLDEST_SERVER = 140_000

/** That a start would take the ledger in the database, and who leads it. Changes nothing. */
export function databaseCheck(config: Settings, url: Secret): Check {
  return {
    name: 'ledger',
    group: 'machine',
    advice:
      'see that PostgreSQL runs and that DATABASE_URL is right; "Move to PostgreSQL" in docs/runbook.md tells the rest',
    run: () =>
      onDatabase(url.reveal(), async (database) => {
        const name = databaseName(url.reveal())
        const { query } = database
        const [server] = (await query("SELECT current_setting('server_version_num')::integer AS version"))
          .rows
        if (Number(server?.version) < OLDEST_SERVER)
          return failure(`${name} is older than PostgreSQL 14`, 'use a newer server')
        if (await isReadOnly(query))
          return failure(`${name} can only be read`, 'DATABASE_URL must lead to the server that takes writes')
        const objection = await findObjection(config, name, database)
        if (objection !== undefined) return failure(objection)
        if (!(await findDatabaseLedger(query, name)).identity)
          return ok(`${name} answers and is empty: the first start makes the ledger`)
        const version = await versionOf(query)
        if (version > NEWEST_VERSION)
          return failure(`${name} is of a newer release, version ${version}`, 'start that release')
        if (version < NEWEST_VERSION)
          return ok(
            `${name}, version ${version}: the next start brings it to ${NEWEST_VERSION}, so make a dump first`,
          )
        const [leader] = (await query(READ)).rows
        const last = leader
          ? `${leader.holder} led last, since ${new Date(String(leader.since)).toISOString()}`
          : 'nobody has led it yet'
        return ok(`${name}, version ${version}, of ${config.mode} mode; ${last}`)
      }),
  }
}

/** Why a start would refuse it, with what to do; undefined where it would not. An outage rejects. */
async function findObjection(
  config: Settings,
  name: string,
  database: Database,
): Promise<string | undefined> {
  try {
    await admitDatabase(config, name)(database)
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) throw error
    return describeError(error)
  }
}

/** Who must sign; undefined where nobody has yet. */
export const databaseSigner = (url: Secret): Promise<Signer | undefined> =>
  onDatabase(url.reveal(), async ({ query }) => {
    const { identity } = await findDatabaseLedger(query, databaseName(url.reveal()))
    return identity && (await findDatabaseSigner(query))
  })

async function versionOf(query: Query): Promise<number> {
  return Number((await query('SELECT max(version) AS version FROM ledger_versions')).rows[0]?.version)
}
