import type { Log } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import { HOUR_MS } from '../core/time/time.ts'
import { REPLY_KEPT_MS } from '../ledger/ports/payment-book.ts'
import type { Store } from '../ledger/ports/store.ts'
import type { Running } from './leader-work.ts'

type Worker = { run(signal: AbortSignal): Promise<void> }
type Decider = Worker & { follow: Worker['run'] }
type Deciders = { reconcile: Decider; finality: Decider }
export type PaymentWorkers = {
  /** For every process that sells: keeps what facilitators support fresh and claims alive. Returns how to end it. */
  sell(): () => Promise<void>
  /** For one process: asks the chain about open and settled payments, forgets old replies. */
  deciding(workers: Deciders): Running
  /** For every other: learns what that one decides. */
  following(workers: Deciders): Running
}

type Ports = {
  clock: Clock
  log: Log
  store: { payments: Pick<Store['payments'], 'purgeReplies'> }
  selling: readonly Worker[]
  signers: { close(): Promise<void> }
}

const PURGE_EVERY_MS = HOUR_MS

export function createPaymentWorkers({ clock, log, store, selling, signers }: Ports): PaymentWorkers {
  const purge = () =>
    store.payments.purgeReplies(clock.now() - REPLY_KEPT_MS).catch((err) => {
      log.warn({ err }, 'old replies stay')
    })
  return {
    sell() {
      const end = runWorkers(selling)
      return async () => {
        await end()
        await signers.close()
      }
    },
    deciding: ({ reconcile, finality }) =>
      toRunning(() => {
        const stopPurge = clock.every(PURGE_EVERY_MS, () => void purge())
        const endWorkers = runWorkers([reconcile, finality])
        return async () => {
          stopPurge()
          await endWorkers()
        }
      }),
    following: (deciders) =>
      toRunning(() => runWorkers(Object.values(deciders).map(({ follow }) => ({ run: follow })))),
  }
}

/** `begin` returns how to end it. */
function toRunning(begin: () => () => Promise<void>): Running {
  let end = async () => {}
  return {
    async start() {
      end = begin()
    },
    stop: () => end(),
  }
}

function runWorkers(workers: readonly Worker[]): () => Promise<void> {
  const stop = new AbortController()
  const running = Promise.all(workers.map(({ run }) => run(stop.signal)))
  return async () => {
    stop.abort()
    await running
  }
}
