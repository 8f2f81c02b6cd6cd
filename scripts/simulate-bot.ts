import { parseArgs } from 'node:util'
import type { BrokerName } from '../src/ledger/ports/bot-book.ts'
import { MUTANTS } from '../test/bot/simulation/mutants.ts'
import { runWeek, type WeekOptions, type WeekResult } from '../test/bot/simulation/week.ts'
import { inLanes, runMutantApart, runWeekApart } from '../test/bot/simulation/workers.ts'

const HELP = `Runs the bot through simulated weeks: 2,016 windows of four coins, both brokers.
  --weeks N    how many seeds (1)             --seed N     the first seed (1)
  --kills N    kills the process at N random calls, with all faults on (0: a calm week)
  --broker B   paper or polymarket only       --windows N  shorter weeks
  --mutants    plants bugs as well and sees each caught within --tries runs (8)
  --workers N  threads (2)                    --trace      tells one week as a story`
const WINDOWS = '2016'

const { values } = parseArgs({
  options: {
    weeks: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    kills: { type: 'string', default: '0' },
    windows: { type: 'string', default: WINDOWS },
    broker: { type: 'string' },
    mutants: { type: 'boolean', default: false },
    tries: { type: 'string', default: '8' },
    workers: { type: 'string', default: '2' },
    trace: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const kills = Number(values.kills)
const brokers = (['paper', 'polymarket'] as const).filter((name) => (values.broker ?? name) === name)
const optionsOf = (broker: BrokerName): WeekOptions => ({
  ...{ broker, kills, isRough: kills > 0 },
  windows: Number(values.windows),
})

if (values.help) console.log(HELP)
else if (values.trace) await tellStory()
else {
  await runWeeks()
  if (values.mutants) await plantBugs()
}

async function tellStory(): Promise<void> {
  const trace = (line: string) => console.log(line)
  report(
    brokers[0] ?? 'paper',
    await runWeek(Number(values.seed), { ...optionsOf(brokers[0] ?? 'paper'), trace }),
    0,
  )
}

async function runWeeks(): Promise<void> {
  const seeds = Array.from({ length: Number(values.weeks) }, (_, index) => Number(values.seed) + index)
  const weeks = seeds.flatMap((seed) => brokers.map((broker) => ({ seed, broker })))
  await inLanes(weeks, Number(values.workers), async ({ seed, broker }) => {
    const startedMs = performance.now()
    report(broker, await runWeekApart(seed, optionsOf(broker)), performance.now() - startedMs)
  })
}

function report(
  broker: BrokerName,
  { seed, counts, violations, digest, profitUsd }: WeekResult,
  ms: number,
): void {
  const told = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
  console.log(
    `${broker} seed ${seed}: ${told.join(', ')}, profit ${profitUsd.toFixed(2)} USD, rows ${digest.slice(0, 16)}, ${(ms / 1000).toFixed(1)} s, ${violations.length} broken`,
  )
  for (const { rule, subject } of violations) console.log(`  broken: ${rule}: ${subject}`)
  if (violations.length > 0) process.exitCode = 1
}

async function plantBugs(): Promise<void> {
  let survivors = 0
  console.log('caught after  planted bug: what broke')
  await inLanes([...MUTANTS.keys()], Number(values.workers), async (mutant) => {
    const { name, runs, caught } = await runMutantApart(mutant, Number(values.tries))
    if (!caught) survivors++
    console.log(`${(caught ? String(runs) : 'SURVIVED').padStart(12)}  ${name}: ${caught?.rule ?? 'nothing'}`)
  })
  console.log(`${MUTANTS.length - survivors} of ${MUTANTS.length} planted bugs caught`)
  if (survivors > 0) process.exitCode = 1
}
