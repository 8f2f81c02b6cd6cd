import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'

export type CollectorTrouble = { failed(cause: string): void; succeeded(): void }

/** Not more often, however often it comes and goes. */
const SAY_EVERY_MS = MINUTE_MS

/** For the log: one line when spans do not arrive, and one when they do again. */
export function createCollectorTrouble(clock: Clock, log: Pick<Log, 'info' | 'warn'>): CollectorTrouble {
  let saidAtMs = Number.NEGATIVE_INFINITY
  let isSaid = false
  return {
    failed(cause) {
      if (isSaid || clock.now() - saidAtMs < SAY_EVERY_MS) return
      isSaid = true
      saidAtMs = clock.now()
      log.warn({ cause }, 'traces do not arrive')
    },
    succeeded() {
      if (!isSaid) return
      isSaid = false
      log.info({ downMs: clock.now() - saidAtMs }, 'traces arrive again')
    },
  }
}
