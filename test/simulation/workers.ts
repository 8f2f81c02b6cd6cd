import { Worker } from 'node:worker_threads'
import type { Violation } from './invariants.ts'
import type { MutantResult } from './run-mutant.ts'

/** `from`, `from + step`, … up to `to`: seeds, or places in the list of mutants with `to` schedules for each. */
export type Job = {
  kind: 'schedules' | 'crash-points' | 'mutants' | 'common-mutants'
  from: number
  step: number
  to: number
}
export type Failure = {
  seed: number
  crashes: readonly number[] | undefined
  violations: readonly Violation[]
}
export type Report = { runs: number; events: number; failures: readonly Failure[]; mutant?: MutantResult }

/** Deals a range out to several threads, one after the other to each. */
export async function runOnWorkers(
  kind: Job['kind'],
  { from, to, workers }: { from: number; to: number; workers: number },
  onReport: (report: Report) => void,
): Promise<void> {
  await Promise.all(
    Array.from({ length: workers }, (_, index) =>
      runOne({ kind, from: from + index, step: workers, to }, onReport),
    ),
  )
}

function runOne(job: Job, onReport: (report: Report) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: job })
    worker.on('message', onReport)
    worker.on('error', reject)
    worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))))
  })
}

/** One line that says how to see it again. */
export function describeFailure({ seed, crashes, violations }: Failure): string {
  const again = `--seed ${seed}${crashes ? ` --crash-after ${crashes.join(',')}` : ''} --trace`
  const [first] = violations
  return `${again}: ${first?.rule}: ${first?.subject}${violations.length > 1 ? ` (and ${violations.length - 1} more)` : ''}`
}
