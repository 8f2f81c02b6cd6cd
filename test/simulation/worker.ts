import { parentPort, workerData } from 'node:worker_threads'
import { runCrashPoints } from './crash-points.ts'
import { CLASSIC_MUTANTS, MUTANTS, type Mutant } from './mutants.ts'
import { runMutant } from './run-mutant.ts'
import { runSchedule } from './schedule.ts'
import type { Failure, Job, Report } from './workers.ts'

/** Reports come at least this often, so that a progress line moves. */
const REPORT_EVERY = 250

// Nobody reads the stacks of simulated failures, and making them costs a tenth of the time.
Error.stackTraceLimit = 0

/** Runs outside the test runner: on Node as it is, and on a core of its own. */
const job = workerData as Job
const send = (report: Report) => parentPort?.postMessage(report)

if (job.kind === 'schedules') await runSeeds(job.from, job.step, job.to)
if (job.kind === 'crash-points') await runPoints(job.from, job.step, job.to)
if (job.kind === 'mutants') await plant(MUTANTS, job)
if (job.kind === 'classic-mutants') await plant(CLASSIC_MUTANTS, job)

async function plant(mutants: readonly Mutant[], { from, step, to }: Job): Promise<void> {
  for (const [at, mutant] of mutants.entries()) {
    if (at % step === from % step)
      send({ runs: 0, events: 0, failures: [], mutant: await runMutant(mutant, to) })
  }
}

async function runSeeds(from: number, step: number, to: number): Promise<void> {
  let report: { runs: number; events: number; failures: Failure[] } = { runs: 0, events: 0, failures: [] }
  for (let seed = from; seed <= to; seed += step) {
    const { events, violations } = await runSchedule(seed)
    report.runs++
    report.events += events
    if (violations.length > 0) report.failures.push({ seed, crashes: undefined, violations })
    if (report.runs < REPORT_EVERY && seed + step <= to) continue
    send(report)
    report = { runs: 0, events: 0, failures: [] }
  }
}

async function runPoints(from: number, step: number, to: number): Promise<void> {
  for (let seed = from; seed <= to; seed += step) send(await runCrashPoints(seed))
}
