import { Worker } from 'node:worker_threads'
import type { MutantResult } from '../mutants/run-mutant.ts'
import { type Charges, NO_CHARGES } from '../verdict/charges.ts'
import type { Violation } from '../verdict/invariants.ts'

/** `from`, `from + step`, … up to `to`: seeds, or places in the list of mutants with `to` schedules for each. */
export type Job = {
  kind: 'schedules' | 'crash-points' | 'mutants' | 'classic-mutants'
  from: number
  step: number
  to: number
}
export type Failure = {
  seed: number
  crashes: readonly number[] | undefined
  violations: readonly Violation[]
}
export type Report = {
  runs: number
  events: number
  charges: Charges
  failures: readonly Failure[]
  mutant?: MutantResult
}
export const NOTHING: Report = { runs: 0, events: 0, charges: NO_CHARGES, failures: [] }

/**
 * What a killed process waited for never happens, and the memory of it stays with its thread: 250,000 schedules left
 * 8 GB behind. A thread is replaced after this many seeds.
 */
const SEEDS_PER_THREAD = 5_000

type Span = { from: number; to: number; workers: number }

/** Deals a range out to several threads. */
export async function runOnWorkers(
  kind: Job['kind'],
  { from, to, workers }: Span,
  onReport: (report: Report) => void,
): Promise<void> {
  const seeds = Math.min(SEEDS_PER_THREAD, Math.ceil((to - from + 1) / workers))
  const lane = async (index: number) => {
    if (kind !== 'schedules') return runOne({ kind, from: from + index, step: workers, to }, onReport)
    for (let first = from + index * seeds; first <= to; first += workers * seeds) {
      const last = Math.min(to, first + seeds - 1)
      await runOne({ kind, from: first, step: 1, to: last }, onReport)
    }
  }
  await Promise.all(Array.from({ length: workers }, (_, index) => lane(index)))
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
