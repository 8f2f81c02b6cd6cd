import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Violation } from '../test/audit/invariants.ts'
import { capacity } from '../test/fleet/capacity.ts'
import { chaos } from '../test/fleet/chaos.ts'
import { copies } from '../test/fleet/copies.ts'
import { describeChaos } from '../test/fleet/describe-chaos.ts'
import { rolling } from '../test/fleet/rolling.ts'
import { sales } from '../test/fleet/sales.ts'
import { soak } from '../test/fleet/soak.ts'

const HELP = `The service in several processes on a PostgreSQL, a Redis and a sandbox of its own, and what must hold for it.
  --only PART     capacity, chaos, copies, rolling, sales or soak; several with commas (all of them)
    capacity      the CPU of each kind of request, and of ten times the load of a shop beside what they add up to
    chaos         engines, apis, PostgreSQL and Redis are killed and restarted under paying load; then everything is compared
    copies        one payment 200 times at once at both apis; two payments with one identifier
    rolling       every process is restarted in turn under 200 requests a second
    sales         paid sales a second and the CPU of one: all in one process, one api, two apis
    soak          half of what it can sell, for a long time: memory and open files
  --minutes N     of chaos (10) and of soak (20)
  --warm-up N     minutes before soak in which nothing is sold (0); trades and ticks that are kept fill up in 70. It then sells 70,000 before it counts
  --seed N        of every choice made here; when processes meet is the machine's own choice
  --buyers N      of chaos (8)
  --seconds N     of each measurement of sales (20) and of capacity (10)
  --rate N        requests a second of rolling (200); sales a second of soak (half of what was measured)
It exits with 1 where anything that must hold did not. Logs are kept where something did not hold.`
const PARTS = ['capacity', 'chaos', 'copies', 'rolling', 'sales', 'soak'] as const
const MAX_SEED = 1_000_000
/** Longer than any payment of a buyer who left stays alive. */
const DEATH_WATCH_MS = 180_000
const SHOWN_VIOLATIONS = 20

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: PARTS.join() },
    minutes: { type: 'string' },
    'warm-up': { type: 'string', default: '0' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * MAX_SEED)) },
    buyers: { type: 'string', default: '8' },
    seconds: { type: 'string' },
    rate: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const startedMs = performance.now()
const say = (line: string) =>
  console.log(`${String(Math.round((performance.now() - startedMs) / 1000)).padStart(5)} s  ${line}`)
const seed = Number(values.seed)
const secondsOr = (usual: number) => Number(values.seconds ?? usual)
const minutesOr = (usual: number) => Number(values.minutes ?? usual)

type Told = { violations: readonly Violation[]; text: string; dir?: string }
const RUNS: Record<(typeof PARTS)[number], () => Promise<Told>> = {
  capacity: () => capacity({ seconds: secondsOr(10), say }),
  async chaos() {
    const outcome = await chaos({
      ...{ seed, say, minutes: minutesOr(10), buyers: Number(values.buyers) },
      ...{ thieves: 2, freeCallers: 4, deathWatchMs: DEATH_WATCH_MS },
    })
    return { ...outcome, text: describeChaos(outcome) }
  },
  async copies() {
    const outcome = await copies({ copies: 200, seed, say })
    return { ...outcome, text: outcome.lines.join('\n') }
  },
  async rolling() {
    const outcome = await rolling({ perSecond: Number(values.rate ?? 200), say })
    const { requests, failed, waitsMs, answers } = outcome
    const steps = [...answers].map(
      ([step, ends]) => `${step}: ${[...ends].map(([what, count]) => `${count} × ${what}`).join(', ')}`,
    )
    const { p50, p99, max } = waitsMs
    const text = `${failed} of ${requests} requests failed; p50 ${p50} ms, p99 ${p99} ms, longest ${max} ms`
    return { ...outcome, text: [...steps, text].join('\n') }
  },
  async sales() {
    const outcome = await sales({ seconds: secondsOr(20), connections: 32, say })
    return { ...outcome, text: `${outcome.figures.length} layouts measured` }
  },
  async soak() {
    const perSecond = values.rate === undefined ? undefined : Number(values.rate)
    const outcome = await soak({
      minutes: minutesOr(20),
      warmUpMinutes: Number(values['warm-up']),
      perSecond,
      say,
    })
    return { ...outcome, text: outcome.lines.join('\n') }
  },
}

// An exit ends the processes of the fleet, which a signal alone would leave behind.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
if (values.help) console.log(HELP)
else await main()

async function main(): Promise<void> {
  const wanted = values.only.split(',')
  const unknown = wanted.filter((name) => !PARTS.some((part) => part === name))
  if (unknown.length > 0) throw new Error(`--only ${unknown.join()}: it is one of ${PARTS.join(', ')}`)
  say(`seed ${seed}`)
  for (const part of PARTS.filter((each) => wanted.includes(each))) {
    say(`${part} begins`)
    const { violations, text, dir } = await RUNS[part]()
    console.log(`\n${text}\n${part}: ${violations.length} violations`)
    for (const { rule, subject } of violations.slice(0, SHOWN_VIOLATIONS))
      console.log(`  ${rule}: ${subject}`)
    if (violations.length > 0) process.exitCode = 1
    if (dir === undefined) continue
    if (violations.length > 0) console.log(`logs: ${dir}`)
    else rmSync(dir, { recursive: true, force: true })
  }
}
