import { resolve } from 'node:path'
import { runSandboxWorld } from '../../app/sandbox-world/run-world.ts'
import { loadConfig } from '../../config/config.ts'
import { createLog } from '../../core/log.ts'
import { systemClock } from '../../core/time/clock.ts'
import { parseOptions } from '../terminal/parse-options.ts'
import { runCommand } from '../terminal/run-command.ts'
import { untilToldToStop } from '../terminal/told-to-stop.ts'

const HELP = `usage: tollbook sandbox

Runs what is simulated in a process of its own, for services of the roles engine and api (TOLLBOOK_ROLE) that share a
data directory: market, venues, chains, facilitator and play money; in paper mode only chains, facilitator and play
money. It takes the same settings as they do. A service that does everything (the default) needs none.
`

export async function run(args: string[]): Promise<void> {
  await runCommand(
    HELP,
    parseOptions(args, {}, () => ({})),
    sandbox,
  )
  // What a start that failed had opened must not keep the process alive.
  if (process.exitCode) process.exit()
}

async function sandbox(): Promise<void> {
  const config = loadConfig()
  const log = createLog({ level: config.logLevel })
  process.on('uncaughtException', (err) => {
    log.error({ err }, 'bug: stopping')
    log.flush().finally(() => process.exit(1))
  })
  let isTold = false
  const told = untilToldToStop(process).then((cause) => {
    isTold = true
    log.info({ cause }, 'stopping')
  })
  const world = await runSandboxWorld({ config, clock: systemClock, log }).catch(async (error: unknown) => {
    await log.flush()
    throw error
  })
  const dataDir = resolve(config.dataDir)
  if (!isTold)
    process.stdout.write(
      `tollbook sandbox ready ${world.facts.world_url} mode=${config.mode}: start TOLLBOOK_ROLE=engine ./tollbook serve and TOLLBOOK_ROLE=api ./tollbook serve, each with its own PORT, with TOLLBOOK_MODE=${config.mode} TOLLBOOK_DATA_DIR=${dataDir} DATABASE_URL, REDIS_URL and TOLLBOOK_BASE_URL (and TOLLBOOK_ENGINE_URLS for an api)\n`,
    )
  await told
  await world.close()
  await log.flush()
  process.exit(0)
}
