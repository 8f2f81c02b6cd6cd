import { capture } from '../harness/capture.ts'
import type { ServerProcess } from '../harness/fleet.ts'
import { type LoadOptions, parseLoadOptions } from '../harness/options.ts'
import { runRounds } from '../harness/rounds.ts'
import { say, writeFigures } from '../harness/say.ts'
import { findSpread } from '../harness/spread.ts'
import { type Bench, withFleet } from '../harness/with-fleet.ts'
import { measure } from '../http/measure.ts'
import type { Asked } from '../http/targets.ts'
import { startOurs } from '../http/world.ts'

const USAGE = `usage: npm run bench:intel -- [options]

  --seconds 2        counted time of a product in a round
  --rounds 3         rounds; each measures every product once, in another order
  --connections 16   connections, one request in flight on each
  --only TEXT        only products whose path contains this, and the one they are compared with
  --json FILE        write all figures there
  --cpu-prof DIR     profile our server (its figures are then lower)
`
/** What every other product is compared with, in the same round. */
const BASE = '/price/BTC'
/** A reply from memory takes no longer than so many times the base. */
const GOAL = 2
const PATHS = [
  ...['/trending', '/sentiment', '/sentiment/composite', '/crypto-sentiment', '/market-mood'],
  ...['/market-intel', '/whales', '/discover?q=weather', '/quick-brief', '/agent-pulse'],
]

const options = parseLoadOptions(process.argv.slice(2), { rounds: 3, connections: 16 })
if (options === 'help') say(USAGE)
else await withFleet((bench) => run(bench, options))

async function run({ fleet, dir, machine, pinning }: Bench, options: LoadOptions): Promise<void> {
  const { connections, seconds, rounds, only, json, cpuProf } = options
  say(`${machine}\n${pinning}\n${rounds} rounds of ${seconds} s with ${connections} connections\n\n`)
  const ours = await startOurs({ fleet, dir, profileDir: cpuProf })
  const token = await findToken(ours)
  const all = [...PATHS, `/price/${token}`, `/token/${token}`, `/token/${token}/score`]
  const chosen = [BASE, ...all.filter((path) => path.includes(only))].map(toTarget)
  const figures = await runRounds(chosen, rounds, (target) =>
    measure(ours, target, { connections, ms: seconds * 1000 }),
  )
  const base = figures.get(BASE) ?? []
  const rows = [...figures].map(([name, measured]) => ({
    name: name.replace(token, '{token}'),
    perSecond: findSpread(measured.map((round) => round.perSecond))?.median ?? 0,
    cpuUs: findSpread(measured.map((round) => round.cpuUs))?.median,
    p99Ms: findSpread(measured.map((round) => round.p99Ms))?.median ?? 0,
    // Within a round, because others use the machine as well.
    ratio: findSpread(measured.map((round, i) => ratioOf(round.p99Ms, base[i]?.p99Ms))),
  }))
  say(
    '\nproduct                        req/s  CPU us/req  p99 ms  p99 / p99 of /price/BTC, median (min..max)\n',
  )
  for (const { name, perSecond, cpuUs, p99Ms, ratio } of rows)
    say(
      [
        ...[name.padEnd(28), perSecond.toFixed(0).padStart(7), (cpuUs?.toFixed(1) ?? '-').padStart(11)],
        ...[p99Ms.toFixed(2).padStart(7), ` ${ratio?.median.toFixed(2)}`],
        `(${ratio?.min.toFixed(2)}..${ratio?.max.toFixed(2)})${(ratio?.median ?? 0) > GOAL ? ' above the goal' : ''}\n`,
      ].join(' '),
    )
  writeFigures(json, { machine, pinning, options, rows })
}

function toTarget(path: string): Asked {
  return { name: path, path, status: 200, headers: {} }
}

function ratioOf(ours: number, base: number | undefined): number | undefined {
  return base ? ours / base : undefined
}

/** One that everybody asks for. */
async function findToken(ours: ServerProcess): Promise<string> {
  const { body } = await capture(ours, '/trending')
  const { pools } = JSON.parse(body) as { pools: { token_address: string }[] }
  const [first] = pools
  if (!first) throw new Error(`no trending pools: ${body}`)
  return first.token_address
}
