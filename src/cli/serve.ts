import { parseArgs } from 'node:util'
import { startApp } from '../app/start.ts'
import { readConfig } from '../config/config.ts'
import { createLog } from '../core/log.ts'
import { systemClock } from '../core/time/clock.ts'
import { nextSteps } from './next-steps.ts'
import { explain, fail } from './run-command.ts'

const HELP = `usage: tollbook serve

Starts the service. Everything is configured by environment variables; none is needed:
the default is the sandbox on http://127.0.0.1:4020. See .env.example for all of them.
`

/** Under npm one Ctrl-C arrives twice, from the terminal and from npm; a second one after this time stops at once. */
const ECHO_MS = 1_000

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { help: { type: 'boolean', short: 'h' } } })
  if (values.help) return void process.stdout.write(HELP)
  try {
    await serve()
  } catch (error) {
    fail(explain(error))
  }
}

async function serve(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog({ level: config.logLevel })
  for (const notice of config.notices) log.warn({ notice }, 'a setting has no effect')
  const app = await startApp({ config, log, clock: systemClock })

  let stoppingSinceMs: number | undefined
  const stop = async (signal: string) => {
    if (stoppingSinceMs !== undefined) {
      if (performance.now() - stoppingSinceMs > ECHO_MS) process.exit(1)
      return
    }
    stoppingSinceMs = performance.now()
    log.info({ signal }, 'stopping')
    await app.stop()
    log.flush()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  process.on('uncaughtException', (err) => {
    log.error({ err }, 'bug: stopping')
    log.flush()
    process.exit(1)
  })
  process.stdout.write(`tollbook ready ${app.site.baseUrl} mode=${config.mode}\n`)
  if (process.stdout.isTTY) process.stdout.write(nextSteps(app.site))
}
