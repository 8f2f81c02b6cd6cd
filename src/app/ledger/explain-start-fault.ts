import { resolve, sep } from 'node:path'
import type { Config } from '../../config/config.ts'
import { databaseName } from '../../core/addresses/database-address.ts'
import { explainFileFault } from '../../core/file-fault.ts'
import { ServiceError } from '../../core/service-error.ts'
import { ledgerPath } from '../../ledger/files/ledger-file.ts'
import { explainLedgerFault } from '../../ledger/sqlite/ledger-fault.ts'

/** What a disk says; Node often leaves out of which file. */
const DISK_CODES = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']

/** Path or database, cause and next step for a start that failed on the ledger; any other error as it is. */
export function explainStartFault(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  error: unknown,
): unknown {
  if (error instanceof ServiceError && error.code === 'store_unavailable')
    return databaseUrl
      ? explainDatabaseStart(databaseName(databaseUrl.reveal()), error)
      : explainLedgerFault(ledgerPath(dataDir), error.cause ?? error)
  const { path, code } = (error ?? {}) as { path?: unknown; code?: unknown }
  const inside = resolve(dataDir) + sep
  if (typeof path === 'string' && resolve(path).startsWith(inside))
    return explainFileFault(path, error) ?? error
  return DISK_CODES.includes(String(code)) ? (explainFileFault(dataDir, error) ?? error) : error
}

/** What the database itself did not cause says by itself what to do. */
const explainDatabaseStart = (name: string, { message, cause }: ServiceError): Error =>
  cause === undefined
    ? new Error(`${name}: ${message}`)
    : new Error(`${name}: ${message}: see that it runs and that DATABASE_URL is right`, { cause })
