import { setImmediate as nextTurn } from 'node:timers/promises'
import { describeError } from '../../core/describe-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { type Check, type Finding, failure } from './check.ts'

export type Result = Finding & Pick<Check, 'name' | 'group'> & { tookMs: number }

type Ports = {
  clock: Clock
  timeoutMs: number
  /** Takes secrets out of a text. */
  redact: (text: string) => string
}

/** All at once, each within the time limit, told in the order of the list as soon as those before it are known. */
export async function* runChecks(checks: readonly Check[], ports: Ports): AsyncGenerator<Result> {
  const running: Promise<Result>[] = []
  for (const check of checks) {
    running.push(runCheck(check, ports))
    // What only reads files is then done, so that its time is its own and no answer of another check waits behind it.
    await nextTurn()
  }
  for (const result of running) yield await result
}

async function runCheck({ name, group, advice, run }: Check, ports: Ports): Promise<Result> {
  const { clock, timeoutMs, redact } = ports
  const startedMs = performance.now()
  const finding = await bounded(run, clock, timeoutMs).catch((error: unknown) =>
    failure(describeError(error), advice),
  )
  const { state, what, next } = finding
  const tookMs = performance.now() - startedMs
  return { name, group, state, what: redact(what), next: next.map(redact), tookMs }
}

function bounded(run: Check['run'], clock: Clock, timeoutMs: number): Promise<Finding> {
  const abort = new AbortController()
  return new Promise<Finding>((resolve, reject) => {
    const cancel = clock.after(timeoutMs, () => reject(new Error(`no answer within ${timeoutMs / 1000} s`)))
    run(abort.signal).then(resolve, reject).finally(cancel)
    // Whatever a check has left open ends with it.
  }).finally(() => abort.abort())
}
