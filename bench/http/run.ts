import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeMachine, pinCores } from './cpu.ts'
import { createFleet } from './fleet.ts'
import { type Figures, verdicts } from './goals.ts'
import { idleShare, type Measurement, measure } from './measure.ts'
import { type Options, parseOptions, USAGE } from './options.ts'
import { shuffled } from './shuffled.ts'
import { figuresTable, verdictsTable } from './table.ts'
import { type TargetName, targets } from './targets.ts'
import { startWorld, type World } from './world.ts'

const IDLE_MS = 2_000

const options = parseOptions(process.argv.slice(2))
if (options === 'help') say(USAGE)
else await bench(options)

async function bench(options: Options): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'tollbook-bench-'))
  const pinning = pinCores()
  const fleet = createFleet({ dir, pinning })
  process.once('exit', () => {
    fleet.killAll()
    rmSync(dir, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void fleet.stopAll().finally(() => process.exit(1)))
  try {
    const machine = describeMachine(dir)
    say(`${machine}\n${pinning.note}\n`)
    const world = await startWorld({ fleet, dir, profileDir: options.cpuProf })
    const idle = await describeIdle(world)
    say(`${idle}\n${describeRun(options, world)}\n\n`)
    const figures = await runRounds(world, options)
    const compared = verdicts(figures)
    say(`\n\n${figuresTable(figures)}\n${verdictsTable(compared)}`)
    if (options.json !== undefined) {
      const all = {
        machine,
        pinning: pinning.note,
        idle,
        options,
        figures: Object.fromEntries(figures),
        verdicts: compared,
      }
      writeFileSync(options.json, `${JSON.stringify(all, undefined, 2)}\n`)
    }
  } finally {
    await fleet.stopAll()
  }
}

async function runRounds(
  { servers, job }: World,
  { rounds, seconds, connections, only }: Options,
): Promise<Figures> {
  const chosen = targets(job.replies.document).filter(({ name }) => name.includes(only ?? ''))
  const figures = new Map<TargetName, Measurement[]>(chosen.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    say(`round ${round + 1} of ${rounds} `)
    for (const target of shuffled(chosen, round)) {
      const server = servers.get(target.server)
      if (!server) throw new Error(`${target.server} was not started`)
      figures.get(target.name)?.push(await measure(server, target, { connections, ms: seconds * 1000 }))
      say('.')
    }
    say('\n')
  }
  return figures
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

function describeRun({ rounds, seconds, connections }: Options, { job }: World): string {
  const paid = job.routes.filter(({ isPaid }) => isPaid).length
  return `${job.routes.length} routes, ${paid} of them paid; ${rounds} rounds of ${seconds} s with ${connections} connections`
}

function say(text: string): void {
  process.stdout.write(text)
}
