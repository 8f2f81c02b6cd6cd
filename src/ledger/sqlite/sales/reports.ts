import { Worker } from 'node:worker_threads'
import { ServiceError } from '../../../core/service-error.ts'
import type { PaymentBookQueries } from '../../ports/payment-book-queries.ts'
import type { ReportName } from './prepare-reports.ts'
import type { ReportReply, ReportRequest } from './report-thread.ts'

export type Reports = Pick<PaymentBookQueries, ReportName> & {
  /** What is under way is rejected. */
  close(): Promise<void>
}

/** Reports for everybody are made once for all who ask, and lists of a wallet are limited per client. */
const WAITING_MAX = 256
/** Of the thread's heap: a report is a few hundred kilobytes. */
const HEAP_MAX_MB = 64
const PROGRAM = new URL('./report-thread.ts', import.meta.url)

type Waiting = { resolve(report: never): void; reject(error: Error): void }
type Thread = { worker: Worker; waiting: Map<number, Waiting> }

/** Reports on the ledger in `file`, read beside the service by a thread that starts with the first of them. */
export function createReports(file: string): Reports {
  let thread: Thread | undefined
  let lastId = 0
  let isClosed = false
  const start = (): Thread => {
    const started = startThread(file)
    started.worker.once('exit', () => {
      if (thread === started) thread = undefined
      rejectAll(started, unavailable('the report was cut off'))
    })
    return started
  }
  const ask = async <T>(name: ReportName, args: ReportRequest['args']): Promise<T> => {
    if (isClosed) throw unavailable('the ledger is closed')
    thread ??= start()
    const { worker, waiting } = thread
    if (waiting.size >= WAITING_MAX) throw unavailable('too many reports are waiting')
    const id = ++lastId
    return new Promise<T>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      worker.ref()
      worker.postMessage({ id, name, args } satisfies ReportRequest)
    })
  }
  return {
    overview: (...args) => ask('overview', args),
    totals: (...args) => ask('totals', args),
    purchasesOf: (...args) => ask('purchasesOf', args),
    async close() {
      isClosed = true
      await thread?.worker.terminate()
    },
  }
}

function startThread(file: string): Thread {
  const worker = new Worker(PROGRAM, {
    workerData: { file },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
  })
  const thread: Thread = { worker, waiting: new Map() }
  worker.on('message', (reply: ReportReply) => {
    const asked = thread.waiting.get(reply.id)
    thread.waiting.delete(reply.id)
    // Only a report that is waited for keeps the process alive.
    if (thread.waiting.size === 0) worker.unref()
    if ('fault' in reply) asked?.reject(unavailable('the ledger cannot be read', reply.fault))
    else asked?.resolve(reply.report as never)
  })
  worker.on('error', (error) => rejectAll(thread, unavailable('the ledger cannot be read', error)))
  return thread
}

function rejectAll({ waiting }: Thread, error: Error): void {
  for (const { reject } of waiting.values()) reject(error)
  waiting.clear()
}

function unavailable(message: string, cause?: unknown): ServiceError {
  return new ServiceError('store_unavailable', message, { cause })
}
