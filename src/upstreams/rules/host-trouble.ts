import { describeError } from '../../core/describe-error.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'

/** Failures are repeated within ten seconds: after this long without one, a success shows that they are over. */
const OVER_AFTER_MS = 15_000

/** Whether a host can be used, for the log: one line when it fails and one when that is over. */
export type HostTrouble = {
  failed(error: unknown): void
  succeeded(): void
  /** One of both, by how the work ends. */
  meet<T>(work: Promise<T>): Promise<T>
  /** Called every second. */
  check(): void
}

type Fault = { cause: string; sinceMs: number; failedMs: number; succeededMs: number | undefined }

/** `where` is in both lines. */
export function createHostTrouble(
  where: Readonly<Record<string, string>>,
  clock: Pick<Clock, 'now'>,
  log: Pick<Log, 'info' | 'warn'>,
): HostTrouble {
  let fault: Fault | undefined
  const failed = (error: unknown) => {
    const nowMs = clock.now()
    if (fault) {
      fault.failedMs = nowMs
      fault.succeededMs = undefined
      return
    }
    fault = { cause: describeError(error), sinceMs: nowMs, failedMs: nowMs, succeededMs: undefined }
    log.warn({ ...where, cause: fault.cause }, 'a venue is down')
  }
  const succeeded = () => {
    if (fault) fault.succeededMs ??= clock.now()
  }
  return {
    failed,
    succeeded,
    async meet<T>(work: Promise<T>): Promise<T> {
      try {
        const done = await work
        succeeded()
        return done
      } catch (error) {
        failed(error)
        throw error
      }
    },
    check() {
      if (fault?.succeededMs === undefined || clock.now() - fault.failedMs < OVER_AFTER_MS) return
      const { cause, sinceMs, succeededMs } = fault
      log.info({ ...where, cause, downMs: succeededMs - sinceMs }, 'a venue is well again')
      fault = undefined
    },
  }
}
