import { createHash } from 'node:crypto'
import pg from 'pg'
import { ServiceError } from '../../core/service-error.ts'
import { DAY_MS, SECOND_MS } from '../../core/time/time.ts'
import type { Columns } from '../columns.ts'
import { explainDatabaseFault } from './database-fault.ts'
import { endSoon } from './end-soon.ts'

export type { Columns }

/** `count`: rows that were read, or changed. */
type Result = { rows: readonly Columns[]; count: number }
/** One statement. Its text is a constant of the code: the server keeps the plan of each. */
export type Query = (sql: string, values?: readonly unknown[]) => Promise<Result>

export type Statements = {
  query: Query
  /** Several statements without values, such as a migration, which may take its time. */
  exec(sql: string): Promise<void>
}
export type Database = Statements & {
  /** All of `work` or nothing; durable when it resolves. Where it rejects for the server's sake, it may have been done. */
  transaction<T>(work: (statements: Statements) => Promise<T>): Promise<T>
  close(): Promise<void>
}
export type ConnectionPool = Database & {
  /** From now on asked on every connection before it is used, and again where it was not asked for a second. */
  checkConnections(check: (query: Query) => Promise<void>): void
}

const CONNECTIONS = 10
/** Tables can be put in the place of others under an open connection. */
const CHECK_EVERY_MS = SECOND_MS
/** Longer than a failover takes to begin, shorter than a buyer waits. */
const CONNECT_WITHIN_MS = 5 * SECOND_MS
/** Reports read a row per day and kind: what takes longer is stuck. */
const ANSWER_WITHIN_MS = 15 * SECOND_MS
/** A process that stands still must not keep others from a row for ever. */
const IDLE_IN_TRANSACTION_MS = 10 * SECOND_MS
/** For what may take its time; the server ends it by its own limit, if it has one. */
const PATIENT_MS = DAY_MS

/** A commit must be on disk, whatever the server's own setting; one that also waits for a standby stays as it is. */
const DURABLE = `
  CASE WHEN current_setting('synchronous_commit') IN ('off', 'local')
    THEN set_config('synchronous_commit', 'on', false) END`

type Options = {
  /** For work on a whole ledger: a statement, and a pause between two of them, may take a day. */
  isPatient?: boolean
}

export function openDatabase(url: string, { isPatient = false }: Options = {}): ConnectionPool {
  const answerWithinMs = isPatient ? PATIENT_MS : ANSWER_WITHIN_MS
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'tollbook',
    max: CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: answerWithinMs,
  })
  // Said on the connection: a pooler may leave out what comes with its opening.
  const prepare = `
    SELECT set_config('statement_timeout', '${answerWithinMs}', false),
      set_config('idle_in_transaction_session_timeout', '${isPatient ? PATIENT_MS : IDLE_IN_TRANSACTION_MS}', false),
      ${DURABLE}`
  // A connection was lost, in use or not: who uses it is told by his own call, and the next call opens another.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const connect = async () => {
    const client = await guard(() => pool.connect())
    const checkedMs = checkedAt.get(client)
    const isNew = checkedMs === undefined
    if (!isNew && (!check || performance.now() - checkedMs < CHECK_EVERY_MS)) return client
    try {
      if (isNew) await guard(() => client.query(prepare))
      await check?.(statementsOn(client).query)
    } catch (error) {
      client.release(true)
      throw error
    }
    checkedAt.set(client, performance.now())
    return client
  }
  const checkedAt = new WeakMap<pg.PoolClient, number>()
  let check: ((query: Query) => Promise<void>) | undefined
  const use = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await connect()
    let isGood = false
    try {
      const result = await work(client)
      isGood = true
      return result
    } catch (error) {
      // After a timeout an answer may still come: nobody else may get it.
      isGood = !isOutage(error) && !isOutlived(error)
      throw error
    } finally {
      client.release(!isGood)
    }
  }
  return {
    query: (sql, values) => use((client) => statementsOn(client).query(sql, values)),
    exec: (sql) => use((client) => statementsOn(client).exec(sql)),
    transaction: (work) => use((client) => inTransaction(client, work)),
    close: () => endSoon(pool.end()),
    checkConnections(wanted) {
      check = wanted
    },
  }
}

async function inTransaction<T>(
  client: pg.PoolClient,
  work: (statements: Statements) => Promise<T>,
): Promise<T> {
  await guard(() => client.query('BEGIN ISOLATION LEVEL READ COMMITTED'))
  try {
    const result = await work(statementsOn(client))
    await guard(() => client.query('COMMIT'))
    return result
  } catch (error) {
    // Otherwise the connection ends, and with it what was begun: a server that does not answer is not waited for again.
    if (!isOutage(error)) await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

const statementsOn = (client: pg.PoolClient): Statements => ({
  async query(text, values = []) {
    const { rows, rowCount } = await guard(() =>
      client.query<Columns>({ name: nameOf(text), text, values: [...values] }),
    )
    return { rows, count: rowCount ?? 0 }
  },
  async exec(text) {
    await guard(() => client.query({ text, query_timeout: PATIENT_MS } as pg.QueryConfig))
  },
})

const names = new Map<string, string>()
function nameOf(sql: string): string {
  const known = names.get(sql)
  if (known !== undefined) return known
  const name = createHash('sha256').update(sql).digest('base64url')
  names.set(sql, name)
  return name
}

/** Whatever the server or the way to it refuses is an outage, not a bug: callers get 503 and nothing is delivered. */
async function guard<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw new ServiceError('store_unavailable', explainDatabaseFault(error), { cause: error })
  }
}

const isOutage = (error: unknown): boolean =>
  error instanceof ServiceError && !(error.cause instanceof pg.DatabaseError)

/** The server can only be read, as one that was replaced by its standby, or keeps a plan of tables that have changed. */
const OUTLIVED = ['25006', '0A000']
/** A new connection may have what this one lacks. */
const isOutlived = (error: unknown): boolean =>
  error instanceof ServiceError &&
  error.cause instanceof pg.DatabaseError &&
  OUTLIVED.includes(error.cause.code ?? '')
