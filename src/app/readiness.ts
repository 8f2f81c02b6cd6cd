import { ServiceError } from '../core/service-error.ts'
import { atMostEvery } from '../core/time/at-most-every.ts'
import { type Clock, sleep } from '../core/time/clock.ts'
import { SECOND_MS } from '../core/time/time.ts'
import type { Store } from '../ledger/ports/store.ts'
import type { Watch } from './health/watch.ts'

/** Whether this process is to be sent requests. */
export type Readiness = {
  /** In words for everybody; empty where it is. */
  reasons(): Promise<readonly string[]>
  /** With the disk of an embedded ledger, which may still be read where it takes no more. */
  started(disk?: Disk): void
  /** From now on it says that it stops, while it still serves. */
  drain(): void
}

type Disk = Pick<Watch, 'latest'>

/** However often strangers ask, the ledger is asked once in so long. */
const ASK_LEDGER_EVERY_MS = SECOND_MS
const LEDGER_WITHIN_MS = 2 * SECOND_MS
const SILENT = 'the ledger does not answer'

type Ports = {
  clock: Clock
  store: Pick<Store, 'ping'>
  /** Of an engine: whether it leads. The others are to send it nothing while it is not sure. */
  leads?: (() => boolean) | undefined
}

export function createReadiness({ clock, store, leads = () => true }: Ports): Readiness {
  const ledgerFault = atMostEvery(clock, ASK_LEDGER_EVERY_MS, () => askLedger(clock, store))
  let isStarted = false
  let disk: Disk | undefined
  let isDraining = false
  return {
    async reasons() {
      if (isDraining) return ['draining']
      if (!isStarted) return ['starting']
      if (!leads()) return ['this engine does not lead now']
      const fault = await ledgerFault()
      if (fault !== undefined) return [fault]
      return disk?.latest().isWell === false ? ['the ledger cannot be written'] : []
    },
    started(own) {
      disk = own
      isStarted = true
    },
    drain() {
      isDraining = true
    },
  }
}

/** Undefined where there is none. */
async function askLedger(clock: Clock, store: Pick<Store, 'ping'>): Promise<string | undefined> {
  const late = new AbortController()
  return Promise.race([
    // What callers are told in such a case; anything else is for the log.
    store.ping().then(
      () => undefined,
      (error: unknown) => (error instanceof ServiceError ? error.message : SILENT),
    ),
    sleep(clock, LEDGER_WITHIN_MS, late.signal).then(() => SILENT),
  ]).finally(() => late.abort())
}
