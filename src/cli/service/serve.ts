import { ToldToStop } from '../../app/roles/stand-by.ts'
import { type App, startApp } from '../../app/start.ts'
import { loadConfig } from '../../config/config.ts'
import { createLog } from '../../core/log.ts'
import { sleep, systemClock } from '../../core/time/clock.ts'
import { parseOptions } from '../terminal/parse-options.ts'
import { runCommand } from '../terminal/run-command.ts'
import { untilToldToStop } from '../terminal/told-to-stop.ts'
import { nextSteps } from './next-steps.ts'

const HELP = `usage: tollbook serve

Starts the service. Everything is configured by environment variables or by the file .env of this folder; nothing is
needed: the default is the sandbox on http://127.0.0.1:4020. See .env.example for all of them.
`

export async function run(args: string[]): Promise<void> {
  await runCommand(
    HELP,
    parseOptions(args, {}, () => ({})),
    serve,
  )
  // What a start that failed had opened must not keep the process alive.
  if (process.exitCode) process.exit()
}

/** The first customers go before documents that nobody asked for. */
const PREPARE_AFTER_MS = 5_000
/** Before a supervisor kills it, which says nothing of why (`TimeoutStopSec` of the unit is 60 s). */
const STOPS_WITHIN_MS = 45_000

async function serve(): Promise<void> {
  const config = loadConfig()
  const log = createLog({ level: config.logLevel })
  for (const notice of config.notices) log.warn({ notice }, 'look at the configuration')
  process.on('uncaughtException', (err) => {
    log.error({ err }, 'bug: stopping')
    log.flush().finally(() => process.exit(1))
  })
  let isTold = false
  const stop = new AbortController()
  const told = untilToldToStop(process).then((cause) => {
    isTold = true
    stop.abort()
    log.info({ cause }, 'stopping')
  })
  const app = await startApp({ config, log, clock: systemClock, told: stop.signal }).catch(
    async (error: unknown) => {
      await log.flush()
      if (error instanceof ToldToStop) return undefined
      throw error
    },
  )
  if (!app) process.exit(0)
  if (!isTold) process.stdout.write(`tollbook ready ${app.site.baseUrl} mode=${config.mode}\n`)
  if (!isTold && process.stdout.isTTY) process.stdout.write(nextSteps(app.site, app.firstKey))
  const preparing = setTimeout(() => void app.prepareDocuments(), PREPARE_AFTER_MS)
  await Promise.race([told, untilAborted(app.mustStop)])
  const isForced = app.mustStop.aborted && !isTold
  if (isForced) log.error({}, `${app.mustStop.reason}: stopping`)
  clearTimeout(preparing)
  await app.announceStop()
  const isStopped = await stopInTime(app)
  if (!isStopped) log.error({}, 'stopped before all was done: the ledger, or something else, does not answer')
  await log.flush()
  process.exit(isForced || !isStopped ? 1 : 0)
}

/** Each part waits for what it needs, such as a ledger that stands still, and they stop one after another. */
async function stopInTime(app: Pick<App, 'stop'>): Promise<boolean> {
  const late = new AbortController()
  const inTime = app.stop().then(() => true)
  const tooLate = sleep(systemClock, STOPS_WITHIN_MS, late.signal).then(() => false)
  return Promise.race([inTime, tooLate]).finally(() => late.abort())
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
