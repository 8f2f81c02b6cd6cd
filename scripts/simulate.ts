import { parseArgs } from 'node:util'
import { runSchedule } from '../test/simulation/schedule.ts'
import { addCharges, NO_CHARGES, REPLY_WITHIN_MS } from '../test/simulation/verdict/charges.ts'
import { describeFailure, type Failure, type Job, runOnWorkers } from '../test/simulation/workers/workers.ts'

const HELP = `Runs the payment gate through simulated disasters.
  --schedules N   how many seeds (10000)        --from N     the first seed (1)
  --workers N     threads (2)
  --crash-points  crash at every event of the seeds instead, once and twice
  --mutants       plant bugs and see each caught within --schedules seeds
  --seed N        one seed; with --trace as a story; --crash-after N,M crashes after those events only`
/** Failures shown in full; one is enough to start with. */
const SHOWN = 10
/** Without a terminal the lines pile up. */
const PROGRESS_EVERY_MS = process.stderr.isTTY ? 1_000 : 60_000

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    seed: { type: 'string' },
    'crash-after': { type: 'string' },
    'crash-points': { type: 'boolean', default: false },
    mutants: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const schedules = Number(values.schedules)
const from = Number(values.from)
const workers = Number(values.workers)

if (values.help) console.log(HELP)
else if (values.seed !== undefined) await tell(Number(values.seed))
else if (values.mutants) await plantBugs()
else await runMany(values['crash-points'] ? 'crash-points' : 'schedules')

async function tell(seed: number): Promise<void> {
  const crashAfterEvents = values['crash-after']?.split(',').map(Number)
  const { violations, events, transfers, delivered } = await runSchedule(seed, {
    ...(crashAfterEvents ? { crashAfterEvents } : {}),
    ...(values.trace ? { trace: (line: string) => console.log(line) } : {}),
  })
  console.log(`seed ${seed}: ${events} events, ${transfers} transfers, ${delivered} replies`)
  for (const { rule, subject } of violations) console.log(`  broken: ${rule}: ${subject}`)
  process.exitCode = violations.length > 0 ? 1 : 0
}

async function runMany(kind: Job['kind']): Promise<void> {
  const startedMs = performance.now()
  const failures: Failure[] = []
  let runs = 0
  let events = 0
  let charges = NO_CHARGES
  const line = () => {
    const seconds = (performance.now() - startedMs) / 1_000
    return `${runs} schedules, ${events} events, ${failures.length} broken, ${Math.round(runs / seconds)}/s, ${seconds.toFixed(1)} s`
  }
  const progress = setInterval(() => process.stderr.write(`\r${line()}   `), PROGRESS_EVERY_MS)
  await runOnWorkers(kind, { from, to: from + schedules - 1, workers }, (report) => {
    runs += report.runs
    events += report.events
    charges = addCharges(charges, report.charges)
    for (const failure of report.failures) {
      if (failures.push(failure) <= SHOWN) process.stderr.write(`\n${describeFailure(failure)}\n`)
    }
  })
  clearInterval(progress)
  process.stderr.write('\r')
  console.log(line())
  if (kind === 'schedules') console.log(describeCharges(charges))
  process.exitCode = failures.length > 0 ? 1 : 0
}

function describeCharges({ owed, longestMs, longestReachableMs, undone }: typeof NO_CHARGES): string {
  return [
    `${owed} answers without goods to somebody whose money had moved`,
    `longest from a charge to its reply: ${longestMs} ms with all outages, ${longestReachableMs} ms with chain, ledger and service in reach (at most ${REPLY_WITHIN_MS} ms)`,
    `${undone} payments were undone with their block after they counted`,
  ].join('\n')
}

async function plantBugs(): Promise<void> {
  let survivors = 0
  let planted = 0
  console.log('caught after  planted bug: what broke')
  await runOnWorkers('mutants', { from: 0, to: schedules, workers }, ({ mutant }) => {
    if (!mutant) return
    planted++
    if (!mutant.caught) survivors++
    const after = mutant.caught ? String(mutant.schedules) : 'SURVIVED'
    console.log(`${after.padStart(12)}  ${mutant.name}: ${mutant.caught?.rule ?? 'nothing'}`)
  })
  console.log(`${planted - survivors} of ${planted} planted bugs caught within ${schedules} schedules each`)
  process.exitCode = survivors > 0 ? 1 : 0
}
