import { idleShare } from '../harness/measure.ts'
import { type LoadOptions, parseLoadOptions } from '../harness/options.ts'
import { runRounds } from '../harness/rounds.ts'
import { say, writeFigures } from '../harness/say.ts'
import { figuresTable, verdictsTable } from '../harness/table.ts'
import { verdicts } from '../harness/verdicts.ts'
import { type Bench, withFleet } from '../harness/with-fleet.ts'
import { COMPARISONS } from './goals.ts'
import { measure } from './measure.ts'
import { targets } from './targets.ts'
import { startWorld, type World } from './world.ts'

const USAGE = `usage: npm run bench:http -- [options]

  --seconds 2        counted time of a target in a round
  --rounds 5         rounds; each measures every target once, in another order
  --connections 64   connections, one request in flight on each
  --only TEXT        only targets whose name contains this
  --json FILE        write all figures there
  --cpu-prof DIR     profile our own server (its figures are then lower)
`
const IDLE_MS = 2_000

const options = parseLoadOptions(process.argv.slice(2), { rounds: 5, connections: 64 })
if (options === 'help') say(USAGE)
else await withFleet((bench) => run(bench, options))

async function run({ fleet, dir, machine, pinning }: Bench, options: LoadOptions): Promise<void> {
  say(`${machine}\n${pinning}\n`)
  const world = await startWorld({ fleet, dir, profileDir: options.cpuProf })
  const idle = await describeIdle(world)
  say(`${idle}\n${describeRun(options, world)}\n\n`)
  const chosen = targets(world.job.replies.document).filter(({ name }) => name.includes(options.only))
  const { connections, seconds, rounds } = options
  const figures = await runRounds(chosen, rounds, (target) => {
    const server = world.servers.get(target.server)
    if (!server) throw new Error(`${target.server} was not started`)
    return measure(server, target, { connections, ms: seconds * 1000 })
  })
  const compared = verdicts(figures, COMPARISONS)
  say(`\n\n${figuresTable(figures)}\n${verdictsTable(compared)}`)
  const told = { machine, pinning, idle, options }
  writeFigures(options.json, { ...told, figures: Object.fromEntries(figures), verdicts: compared })
}

/** Our process also simulates the market and follows it; that share is in its figures. */
async function describeIdle({ servers }: World): Promise<string> {
  const ours = servers.get('tollbook')
  const share = ours && (await idleShare(ours, IDLE_MS))
  ours?.pause()
  return share === undefined
    ? 'no /proc: CPU times are left out'
    : `tollbook idle: ${Math.round(share * 100)} % of a core`
}

function describeRun({ rounds, seconds, connections }: LoadOptions, { job }: World): string {
  const paid = job.routes.filter(({ isPaid }) => isPaid).length
  return `${job.routes.length} routes, ${paid} of them paid; ${rounds} rounds of ${seconds} s with ${connections} connections`
}
