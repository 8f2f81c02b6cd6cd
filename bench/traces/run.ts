/** What traces cost a request: the service without them, with a tenth of requests traced, and with all. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ServerProcess } from '../harness/fleet.ts'
import { type LoadOptions, parseLoadOptions } from '../harness/options.ts'
import { runRounds } from '../harness/rounds.ts'
import { say, writeFigures } from '../harness/say.ts'
import { figuresTable } from '../harness/table.ts'
import { type Bench, withFleet } from '../harness/with-fleet.ts'
import { CASES } from '../http/cases.ts'
import { measure } from '../http/measure.ts'
import { startOurs } from '../http/world.ts'

const USAGE = `usage: npm run bench:traces -- [--seconds 2] [--rounds 5] [--connections 64] [--only TEXT] [--json FILE]
`
const SHARES = { off: undefined, 'a tenth': '0.1', all: '1' } as const
const ASKED = CASES.filter(({ id }) => id === 'demo' || id === 'market' || id === 'challenge')

const options = parseLoadOptions(process.argv.slice(2), { rounds: 5, connections: 64 })
if (options === 'help') say(USAGE)
else await withFleet((bench) => run(bench, options))

async function run({ fleet, dir, machine, pinning }: Bench, options: LoadOptions): Promise<void> {
  say(`${machine}\n${pinning}\n`)
  const args = [fileURLToPath(new URL('./servers/collector.ts', import.meta.url))]
  const collector = await fleet.start({ name: 'collector', args })
  const servers = new Map<string, ServerProcess>()
  for (const [name, share] of Object.entries(SHARES)) {
    const own = join(dir, name.replace(' ', '-'))
    mkdirSync(own)
    const traced = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://${collector.host}:${collector.port}`,
      OTEL_TRACES_SAMPLER_ARG: share,
    }
    const server = await startOurs({ fleet, dir: own, profileDir: options.cpuProf, env: share ? traced : {} })
    server.pause()
    servers.set(name, server)
  }
  const targets = [...servers].flatMap(([share, server]) =>
    ASKED.map(({ id, path, status }) => ({ name: `${id}, ${share}`, path, status, headers: {}, server })),
  )
  const chosen = targets.filter(({ name }) => name.includes(options.only))
  const { connections, seconds, rounds } = options
  const figures = await runRounds(chosen, rounds, ({ server, ...asked }) =>
    measure(server, asked, { connections, ms: seconds * 1000 }),
  )
  say(`\n\n${figuresTable(figures)}\n`)
  writeFigures(options.json, { machine, pinning, options, figures: Object.fromEntries(figures) })
}
