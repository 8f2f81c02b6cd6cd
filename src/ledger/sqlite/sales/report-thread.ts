/** A thread of its own for reports that take a while: a service must go on serving meanwhile. */
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { prepareReports, type ReportName, type ReportQueries } from './prepare-reports.ts'

export type ReportRequest = { id: number; name: ReportName; args: Parameters<ReportQueries[ReportName]> }
export type ReportReply =
  | { id: number; report: ReturnType<ReportQueries[ReportName]> }
  | { id: number; fault: string }

/** Enough for the service to finish a checkpoint. */
const BUSY_TIMEOUT_MS = 5_000

const db = new DatabaseSync(workerData.file, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
const reports = prepareReports(db)

parentPort?.on('message', (request: ReportRequest) => parentPort?.postMessage(answer(request)))

function answer({ id, name, args }: ReportRequest): ReportReply {
  try {
    // One transaction, so that all parts of a report are of one moment.
    db.exec('BEGIN')
    try {
      const make = reports[name] as (...args: unknown[]) => ReturnType<ReportQueries[ReportName]>
      return { id, report: make(...args) }
    } finally {
      db.exec('COMMIT')
    }
  } catch (error) {
    return { id, fault: error instanceof Error ? error.message : String(error) }
  }
}
