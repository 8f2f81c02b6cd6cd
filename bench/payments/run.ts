import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeMachine, pinCores } from '../http/cpu.ts'
import { createFleet } from '../http/fleet.ts'
import { verdicts } from '../http/goals.ts'
import { type Options, parseOptions } from '../http/options.ts'
import { shuffled } from '../http/shuffled.ts'
import { aligned, decimal, figuresTable, verdictsTable } from '../http/table.ts'
import { checkLedgers } from './check-ledgers.ts'
import { COMPARISONS, type Overhead, overheads, type PaidFigures } from './goals.ts'
import { measurePaid, type PaidMeasurement, warmUp } from './measure.ts'
import { type Target, type TargetName, targets } from './targets.ts'
import { startWorld, type World } from './world.ts'

const USAGE = `usage: npm run bench:payments -- [options]

  --seconds 2        counted time of a target in a round
  --rounds 3         rounds; each measures every target once, in another order
  --connections 32   connections of the targets called many (on anvil at most 8), one payment in flight on each
  --only TEXT        only targets whose name contains this, such as instant/ or tollbook/many
  --json FILE        write all figures there
  --cpu-prof DIR     profile our own server (its figures are then lower)
`
const ABOUT = `tollbook: its real path: local checks with the signature, claim, verify, work, reply stored, settle, chain asked,
  recorded with a signed receipt, delivered; durable ledger, request log.
x402-hono, x402-express: verify, work, settle, delivered. They check no signature themselves, keep no ledger, ask no
  chain and write no log. Same routes, offer, payments, reply and facilitator; x402-hono-lean offers one network and
  no extensions.
`
const options = parseOptions(process.argv.slice(2), { rounds: '3', connections: '32' })
if (options === 'help') say(USAGE)
else await bench(options)

async function bench(options: Options): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'tollbook-bench-'))
  const pinning = pinCores()
  const fleet = createFleet({ dir, pinning })
  const chainPids: number[] = []
  process.once('exit', () => {
    fleet.killAll()
    for (const pid of chainPids) endIfOurs(pid, dir)
    rmSync(dir, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void fleet.stopAll().finally(() => process.exit(1)))
  try {
    const machine = describeMachine(dir)
    say(`${machine}\n${pinning.note}; a chain runs on the core of its server\n${ABOUT}\n`)
    const chosen = targets(options).filter(({ name }) => name.includes(options.only ?? ''))
    const isWanted = (name: string) => chosen.some(({ server }) => server === name)
    const world = await startWorld({ fleet, dir, profileDir: options.cpuProf, isWanted, chainPids })
    say(describeRun(options, world))
    for (const [name, seller] of world.sellers)
      await warmUp(seller, name.startsWith('anvil/') ? 'anvil' : 'instant')
    const figures = await runRounds(world, chosen, options)
    const compared = verdicts(figures, COMPARISONS)
    const over = overheads(figures)
    say(`\n${figuresTable(figures)}\n${verdictsTable(compared)}\n${overheadTable(over)}\n`)
    const ledgers = checkLedgers(world)
    say(ledgers.join(''))
    if (options.json === undefined) return
    const all = { machine, pinning: pinning.note, options, figures: Object.fromEntries(figures), ledgers }
    const judged = { verdicts: compared, overheads: over }
    writeFileSync(options.json, `${JSON.stringify({ ...all, ...judged }, undefined, 2)}\n`)
  } finally {
    await fleet.stopAll()
  }
}

/** A chain goes with its server, unless that had to be killed. The number may be another process's by now. */
function endIfOurs(pid: number, dir: string): void {
  try {
    if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dir)) process.kill(pid, 'SIGKILL')
  } catch {
    // Gone, as it should be.
  }
}

async function runRounds(
  { sellers }: World,
  chosen: readonly Target[],
  { rounds, seconds }: Options,
): Promise<PaidFigures> {
  const figures = new Map<TargetName, PaidMeasurement[]>(chosen.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    say(`round ${round + 1} of ${rounds} `)
    for (const target of shuffled(chosen, round)) {
      const seller = sellers.get(target.server)
      if (!seller) throw new Error(`${target.server} was not started`)
      figures.get(target.name)?.push(await measurePaid(seller, target, seconds * 1000))
      say('.')
    }
    say('\n')
  }
  return figures
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

function describeRun({ rounds, seconds, connections }: Options, { routes, sellers }: World): string {
  return `${sellers.size} servers of ${routes} routes; ${rounds} rounds of ${seconds} s with 1 and with ${connections} connections\n\n`
}

function say(text: string): void {
  process.stdout.write(text)
}
