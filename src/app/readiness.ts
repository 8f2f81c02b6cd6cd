import { type Clock, sleep } from '../core/time/clock.ts'
import { SECOND_MS } from '../core/time/time.ts'
import type { Store } from '../ledger/ports/store.ts'

/** Whether this process is to be sent requests. */
export type Readiness = {
  /** In words for everybody; empty where it is. */
  reasons(): Promise<readonly string[]>
  started(): void
  /** From now on it says that it stops, while it still serves. */
  drain(): void
}

/** However often strangers ask, the ledger is asked once in so long. */
const ASK_LEDGER_EVERY_MS = SECOND_MS
const LEDGER_WITHIN_MS = 2 * SECOND_MS

type Ports = {
  clock: Clock
  store: Pick<Store, 'ping'>
  /** Of an engine: whether it leads. The others are to send it nothing while it is not sure. */
  leads?: (() => boolean) | undefined
}

export function createReadiness({ clock, store, leads = () => true }: Ports): Readiness {
  const ledgerAnswers = createLedgerAnswers(clock, store)
  let isStarted = false
  let isDraining = false
  return {
    async reasons() {
      if (isDraining) return ['draining']
      if (!isStarted) return ['starting']
      if (!leads()) return ['this engine does not lead now']
      return (await ledgerAnswers()) ? [] : ['the ledger does not answer']
    },
    started() {
      isStarted = true
    },
    drain() {
      isDraining = true
    },
  }
}

/** Those who ask at the same time share an answer. */
function createLedgerAnswers(clock: Clock, store: Pick<Store, 'ping'>): () => Promise<boolean> {
  let askedMs = Number.NEGATIVE_INFINITY
  let answer: Promise<boolean> = Promise.resolve(false)
  return () => {
    // Also where somebody sets the clock back.
    if (Math.abs(clock.now() - askedMs) < ASK_LEDGER_EVERY_MS) return answer
    askedMs = clock.now()
    const late = new AbortController()
    answer = Promise.race([
      store.ping().then(
        () => true,
        () => false,
      ),
      sleep(clock, LEDGER_WITHIN_MS, late.signal).then(() => false),
    ]).finally(() => late.abort())
    return answer
  }
}
