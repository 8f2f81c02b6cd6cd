import type { DatabaseSync } from 'node:sqlite'
import { ServiceError } from '../../core/service-error.ts'
import { inTransaction } from './transaction.ts'

/** Writes of one turn of the event loop share one durable transaction: one fsync instead of one each. */
export type GroupCommit = {
  /**
   * Runs `apply` in the next transaction, in the order of the calls, and resolves after its COMMIT. `apply` may run
   * twice (the first run is rolled back), so it must touch nothing but the database.
   */
  write<T>(apply: () => T): Promise<T>
  /** Sees committed rows only: transactions never stay open from one turn to the next. */
  read<T>(query: () => T): Promise<T>
  /** Commits pending writes; later calls are rejected. */
  close(): void
}

/** About 10 ms of work; longer would delay requests that write nothing. */
const BATCH_MAX = 256
/** One or two seconds of work at full speed; later writes are rejected. */
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
 * One transaction for the whole batch. If a job fails, the batch runs again with one transaction per job. Savepoints
 * would not do: a full disk ends the whole transaction, and a small write beside a large one must still succeed.
 */
function run(db: DatabaseSync, batch: readonly Job[]): Outcome[] {
  let isJobsFault = false
  const runJob = (job: Job): Outcome => {
    try {
      return { result: job.apply() }
    } catch (error) {
      isJobsFault = true
      throw error
    }
  }
  try {
    return inTransaction(db, () => batch.map(runJob))
  } catch (error) {
    if (!isJobsFault) throw error
    return batch.length === 1 ? [{ error }] : batch.map((job) => runAlone(db, job))
  }
}

function runAlone(db: DatabaseSync, job: Job): Outcome {
  try {
    return { result: inTransaction(db, job.apply) }
  } catch (error) {
    return { error }
  }
}

/** A full disk or a locked file is an outage, not a bug: callers get 503 and nothing is delivered. */
function toFailure(error: unknown): unknown {
  const isFromDatabase = error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
  return isFromDatabase ? unavailable('the ledger cannot be read or written', error) : error
}

function unavailable(message: string, cause?: unknown): ServiceError {
  return new ServiceError('store_unavailable', message, { cause })
}
