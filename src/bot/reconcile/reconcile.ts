import { describeError } from '../../core/describe-error.ts'
import { createFaultLog } from '../../core/fault-log.ts'
import type { Log } from '../../core/log.ts'
import { createBackoff } from '../../core/time/backoff.ts'
import type { Clock } from '../../core/time/clock.ts'

/** Steps that bring ledger and venue together, in order. Each starts from what the ledger has, so any may be repeated. */
export type Step = { name: string; run(): Promise<void> }

export type Reconciler = {
  /** Runs every step, also after one has failed; gives the time until the next pass. */
  pass(): Promise<number>
  /** Of the last pass in which no step failed. */
  lastMs(): number | undefined
  /** Why the last pass was not whole. */
  fault(): string | undefined
}

const EVERY_MS = 5_000
const BACKOFF = { firstMs: EVERY_MS, maxMs: 30_000 }
/** One client alone needs no jitter, and a simulation repeats. */
const noJitter = () => 1

export function createReconciler({
  clock,
  log,
  steps,
}: {
  clock: Clock
  log: Log
  steps: readonly Step[]
}): Reconciler {
  const backoff = createBackoff(BACKOFF, noJitter)
  let lastMs: number | undefined
  let fault: string | undefined
  const faultLogs = new Map(
    steps.map(({ name }) => [name, createFaultLog(log, 'a step of the reconciliation failed')]),
  )
  const attempt = async ({ name, run }: Step): Promise<string | undefined> => {
    try {
      await run()
      faultLogs.get(name)?.succeeded()
      return undefined
    } catch (err) {
      faultLogs.get(name)?.failed(err, { err, step: name })
      return `${name}: ${describeError(err)}`
    }
  }
  return {
    async pass() {
      const faults: string[] = []
      for (const step of steps) {
        const found = await attempt(step)
        if (found) faults.push(found)
      }
      fault = faults[0]
      if (fault) return backoff.nextMs()
      lastMs = clock.now()
      backoff.reset()
      return EVERY_MS
    },
    lastMs: () => lastMs,
    fault: () => fault,
  }
}
