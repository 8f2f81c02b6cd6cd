import { databaseUrl, httpRootList, oneOf, redisUrl } from './value-types.ts'
import { variable } from './variable.ts'

const ROLES = ['all', 'engine', 'api'] as const

/** What several processes share, and what each of them does. */
export const PROCESS_VARIABLES = {
  DATABASE_URL: variable(
    databaseUrl.optional(),
    'The ledger in PostgreSQL (14 or newer) instead of the file, as postgres://user:password@host:5432/database; ./tollbook ledger copy moves a file there',
    { isSecret: true },
  ),
  REDIS_URL: variable(
    redisUrl.optional(),
    'Counts free calls and limits in Redis instead of the process, and notes there, in hashes, who bought what, so that every process knows to whom a bought reply belongs; as redis://user:password@host:6379/0 or rediss:// with TLS',
    { isSecret: true },
  ),
  TOLLBOOK_ROLE: variable(
    oneOf(ROLES).default('all'),
    'all: one process does everything; engine: follows the market and trades, one leads and others wait; api: serves, any number. engine and api need DATABASE_URL, REDIS_URL and TOLLBOOK_BASE_URL',
  ),
  TOLLBOOK_ENGINE_URLS: variable(
    httpRootList.default([]),
    "Where a process of the role api passes the operator's calls on to: the addresses of all engines, comma-separated",
  ),
}
