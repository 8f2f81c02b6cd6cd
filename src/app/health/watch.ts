import { describeError, errorCode } from '../../core/describe-error.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'

/** Something outside the process that is asked again and again whether it is well. */
export type Dependency = {
  name: string
  /** Where it is, for the log only: `/health` is public. Holds no credential. */
  where: Readonly<Record<string, string>>
  /** What a failed probe means, in words for `/health`. */
  trouble: string
  everyMs: number
  /** Throws when it is not well. */
  probe(): Promise<void>
}

/** A fault whose text may be shown to everybody. Of any other, `/health` shows no more than its code. */
export class ShownFault extends Error {}

export type Watch = {
  name: string
  /** What the newest probe found. */
  latest(): { isWell: boolean; detail: string; latencyMs: number | null; ageMs: number | null }
  /** Probes once, then in its rhythm. */
  start(): Promise<void>
  stop(): void
}

const PROBE_WITHIN_MS = 8_000
type Fault = { detail: string; cause: string; sinceMs: number }

/** Logs once when a dependency fails, with the cause, and once when that is over. */
export function createWatch(dependency: Dependency, { clock, log }: { clock: Clock; log: Log }): Watch {
  const { name, where, trouble, everyMs, probe } = dependency
  let fault: Fault | undefined
  let latencyMs: number | null = null
  let probedAtMs: number | undefined
  let isUnderWay = false
  let stop = () => {}

  const failed = (error: unknown) => {
    const cause = describeError(error)
    if (fault === undefined) log.warn({ dependency: name, ...where, cause }, 'a dependency is down')
    fault = { detail: shownFault(error, trouble), cause, sinceMs: fault?.sinceMs ?? clock.now() }
    latencyMs = null
  }
  const succeeded = (tookMs: number) => {
    if (fault !== undefined)
      log.info(
        { dependency: name, ...where, cause: fault.cause, downMs: clock.now() - fault.sinceMs },
        'a dependency is well again',
      )
    fault = undefined
    latencyMs = tookMs
  }
  const check = async () => {
    if (isUnderWay) return
    isUnderWay = true
    const startedMs = performance.now()
    await withinLimit(clock, probe()).then(() => succeeded(performance.now() - startedMs), failed)
    probedAtMs = clock.now()
    isUnderWay = false
  }
  return {
    name,
    latest: () => ({
      isWell: fault === undefined && probedAtMs !== undefined,
      detail: fault?.detail ?? (probedAtMs === undefined ? 'not asked yet' : 'well'),
      latencyMs,
      ageMs: probedAtMs === undefined ? null : clock.now() - probedAtMs,
    }),
    async start() {
      stop = clock.every(everyMs, () => void check())
      await check()
    },
    stop: () => stop(),
  }
}

function shownFault(error: unknown, trouble: string): string {
  if (error instanceof ShownFault) return error.message
  const code = errorCode(error)
  return code === undefined ? trouble : `${trouble} (${code})`
}

/** A disk or a node that hangs is down. A probe that ends later is forgotten. */
function withinLimit(clock: Clock, probe: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(PROBE_WITHIN_MS, () => reject(new ShownFault('no answer in time')))
    probe.then(resolve, reject).finally(cancel)
  })
}
