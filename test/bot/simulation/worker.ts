import { parentPort, workerData } from 'node:worker_threads'
import { MUTANTS } from './mutants.ts'
import { runMutant } from './run-mutant.ts'
import { runWeek } from './week.ts'
import type { Job } from './workers.ts'

// Nobody reads the stacks of simulated failures, and making them takes time.
Error.stackTraceLimit = 0

/** Runs outside the test runner: on Node as it is, and on a core of its own. */
const job = workerData as Job
if (job.kind === 'week') parentPort?.postMessage(await runWeek(job.seed, job.options))
else {
  const mutant = MUTANTS[job.mutant]
  if (!mutant) throw new RangeError(`there is no mutant ${job.mutant}`)
  parentPort?.postMessage(await runMutant(mutant, job.atMost))
}
