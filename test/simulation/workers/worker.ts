import { parentPort, workerData } from 'node:worker_threads'
import { CLASSIC_MUTANTS, MUTANTS } from '../mutants/all.ts'
import type { Mutant } from '../mutants/mutant.ts'
import { runMutant } from '../mutants/run-mutant.ts'
import { runSchedule } from '../schedule.ts'
import { addCharges } from '../verdict/charges.ts'
import { runCrashPoints } from './crash-points.ts'
import { type Job, NOTHING, type Report } from './workers.ts'

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
    if (at % step === from % step) send({ ...NOTHING, mutant: await runMutant(mutant, to) })
  }
}

async function runSeeds(from: number, step: number, to: number): Promise<void> {
  let report: Report = NOTHING
  for (let seed = from; seed <= to; seed += step) {
    const { events, violations, charges } = await runSchedule(seed)
    const failure = violations.length > 0 ? [{ seed, crashes: undefined, violations }] : []
    report = {
      runs: report.runs + 1,
      events: report.events + events,
      charges: addCharges(report.charges, charges),
      failures: [...report.failures, ...failure],
    }
    if (report.runs < REPORT_EVERY && seed + step <= to) continue
    send(report)
    report = NOTHING
  }
}

async function runPoints(from: number, step: number, to: number): Promise<void> {
  for (let seed = from; seed <= to; seed += step) send({ ...NOTHING, ...(await runCrashPoints(seed)) })
}
