import { readFileSync } from 'node:fs'
import { type LoadOptions, parseLoadOptions } from '../harness/options.ts'
import { runRounds } from '../harness/rounds.ts'
import { say, writeFigures } from '../harness/say.ts'
import { aligned, decimal, figuresTable, verdictsTable } from '../harness/table.ts'
import { verdicts } from '../harness/verdicts.ts'
import { type Bench, withFleet } from '../harness/with-fleet.ts'
import { checkLedgers } from './check-ledgers.ts'
import { comparisons, type Overhead, overheads } from './goals.ts'
import { measurePaid, warmUp } from './measure.ts'
import { targets } from './targets.ts'
import { startWorld, type World } from './world.ts'

const USAGE = `usage: npm run bench:payments -- [options]

  --seconds 2        counted time of a target in a round
  --rounds 3         rounds; each measures every target once, in another order
  --connections 32   connections of the targets called many (on anvil at most 8), one payment in flight on each
  --only TEXT        only targets whose name contains this, such as instant/ or tollbook/many; several with commas
  --cores 1          cores of a server, 1 or 2; the load runs on the second one too
  --json FILE        write all figures there
  --cpu-prof DIR     profile our own server (its figures are then lower)
`
const ABOUT = `tollbook: its real path: local checks with the signature, claim, verify, work, reply stored, settle, chain asked,
  recorded with a signed receipt, delivered; durable ledger, request log.
x402-hono, x402-express: verify, work, settle, delivered. They check no signature themselves, keep no ledger, ask no
  chain and write no log. Same routes, offer, payments, reply and facilitator; x402-hono-lean offers one network and
  no extensions.
`
const chainPids: number[] = []
const options = parseLoadOptions(process.argv.slice(2), { rounds: 3, connections: 32 })
if (options === 'help') say(USAGE)
else
  await withFleet(
    (bench) => run(bench, options),
    (dir) => {
      for (const pid of chainPids) endIfOurs(pid, dir)
    },
    options.cores,
  )

async function run({ fleet, dir, machine, pinning }: Bench, options: LoadOptions): Promise<void> {
  say(`${machine}\n${pinning}; a chain runs on the core of its server\n${ABOUT}\n`)
  const { rounds, seconds } = options
  const wanted = options.only.split(',')
  const chosen = targets(options).filter(({ name }) => wanted.some((text) => name.includes(text)))
  const isWanted = (name: string) => chosen.some(({ server }) => server === name)
  const world = await startWorld({ fleet, dir, profileDir: options.cpuProf, isWanted, chainPids })
  say(describeRun(options, world))
  for (const [name, seller] of world.sellers)
    await warmUp(seller, name.startsWith('anvil/') ? 'anvil' : 'instant')
  const figures = await runRounds(chosen, rounds, (target) => {
    const seller = world.sellers.get(target.server)
    if (!seller) throw new Error(`${target.server} was not started`)
    return measurePaid(seller, target, seconds * 1000)
  })
  const compared = verdicts(figures, comparisons(options.cores))
  const over = overheads(figures)
  say(`\n${figuresTable(figures)}\n${verdictsTable(compared)}\n${overheadTable(over)}\n`)
  const ledgers = checkLedgers(world)
  say(ledgers.join(''))
  const told = { machine, pinning, options, figures: Object.fromEntries(figures), ledgers }
  writeFigures(options.json, { ...told, verdicts: compared, overheads: over })
}

/** A chain goes with its server, unless that had to be killed. The number may be another process's by now. */
function endIfOurs(pid: number, dir: string): void {
  try {
    if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dir)) process.kill(pid, 'SIGKILL')
  } catch {
    // Gone, as it should be.
  }
}

function overheadTable(all: readonly Overhead[]): string {
  const rows = all.map(({ name, replyMs, facilitatorMs, overhead, belowMs, holds }) => [
    name,
    decimal(replyMs, 2),
    decimal(facilitatorMs, 2),
    decimal(overhead.median, 2),
    `${decimal(overhead.min, 2)}..${decimal(overhead.max, 2)}`,
    belowMs === undefined ? '-' : `below ${belowMs}`,
    holds === undefined ? '' : holds ? 'PASS' : 'MISS',
  ])
  const headings = ['one call at a time', 'p50 ms', 'verify+settle', 'overhead ms', 'min..max', 'goal', '']
  return aligned([headings, ...rows])
}

function describeRun({ rounds, seconds, connections }: LoadOptions, { routes, sellers }: World): string {
  return `${sellers.size} servers of ${routes} routes; ${rounds} rounds of ${seconds} s with 1 and with ${connections} connections\n\n`
}
