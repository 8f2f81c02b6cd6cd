import type { DatabaseSync } from 'node:sqlite'
import { ServiceError } from '../../core/service-error.ts'
import { inTransaction } from './transaction.ts'

/** Writes of one turn of the event loop share one durable transaction: one fsync instead of one each. */
export type GroupCommit = {
  /**
   * Runs `apply` in the next transaction, in the order of the calls, and resolves after its COMMIT. `apply` may be
   * run twice (the first time is then undone), so it touches nothing but the database.
   */
  write<T>(apply: () => T): Promise<T>
  /** Sees committed rows only: transactions never stay open from one turn to the next. */
  read<T>(query: () => T): Promise<T>
  /** Commits what waits; every later call is refused. */
  close(): void
}

/** About 10 ms of work: longer would keep requests waiting that write nothing. */
const BATCH_MAX = 256
/** A second or two of work at full speed; who comes later is told to come again. */
const WAITING_MAX = 10_000

type Job = { apply: () => unknown; resolve: (result: never) => void; reject: (error: unknown) => void }
type Outcome = { result: unknown } | { error: unknown }

export function createGroupCommit(db: DatabaseSync): GroupCommit {
  const waiting: Job[] = []
  let scheduled: NodeJS.Immediate | undefined
  let isClosed = false

  const flush = () => {
    const batch = waiting.splice(0, BATCH_MAX)
    scheduled = waiting.length > 0 ? setImmediate(flush) : undefined
    if (batch.length > 0) commit(db, batch)
  }
  return {
    write(apply) {
      if (isClosed) return Promise.reject(unavailable('the ledger is closed'))
      if (waiting.length >= WAITING_MAX) return Promise.reject(unavailable('too many writes are waiting'))
      return new Promise((resolve, reject) => {
        waiting.push({ apply, resolve, reject })
        scheduled ??= setImmediate(flush)
      })
    },
    async read(query) {
      if (isClosed) throw unavailable('the ledger is closed')
      try {
        return query()
      } catch (error) {
        throw toFailure(error)
      }
    },
    close() {
      isClosed = true
      while (waiting.length > 0) flush()
      clearImmediate(scheduled)
    },
  }
}

function commit(db: DatabaseSync, batch: readonly Job[]): void {
  try {
    const outcomes = run(db, batch)
    batch.forEach((job, index) => {
      const outcome = outcomes[index] as Outcome
      if ('error' in outcome) job.reject(toFailure(outcome.error))
      else job.resolve(outcome.result as never)
    })
  } catch (error) {
    for (const job of batch) job.reject(toFailure(error))
  }
}

/**
 * All in one transaction as long as nobody fails; when somebody does, once more with one for each. Savepoints would not
 * do: a full disk ends the whole transaction, and a small write beside a large one must still go through.
 */
function run(db: DatabaseSync, batch: readonly Job[]): Outcome[] {
  let isJobsFault = false
  const together = (job: Job): Outcome => {
    try {
      return { result: job.apply() }
    } catch (error) {
      isJobsFault = true
      throw error
    }
  }
  try {
    return inTransaction(db, () => batch.map(together))
  } catch (error) {
    if (!isJobsFault) throw error
    return batch.length === 1 ? [{ error }] : batch.map((job) => apart(db, job))
  }
}

function apart(db: DatabaseSync, job: Job): Outcome {
  try {
    return { result: inTransaction(db, job.apply) }
  } catch (error) {
    return { error }
  }
}

/** A full disk or a locked file is an outage, not a bug: callers get 503 and nothing is given away. */
function toFailure(error: unknown): unknown {
  const isFromDatabase = error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
  return isFromDatabase ? unavailable('the ledger is out of order', error) : error
}

function unavailable(message: string, cause?: unknown): ServiceError {
  return new ServiceError('store_unavailable', message, { cause })
}
