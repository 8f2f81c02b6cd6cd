import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, startApp } from '../app/start.ts'
import { readConfig } from '../config/config.ts'
import { type Log, silentLog } from '../core/log.ts'
import { type Clock, sleep, systemClock } from '../core/time/clock.ts'

export type World = {
  app: App
  url: string
  get(path: string, headers?: Record<string, string>): Promise<Response>
  send(method: string, path: string, init?: RequestInit): Promise<Response>
  /** Until there are fresh prices: a busy machine may have stood still since the start. */
  untilFresh(): Promise<void>
  /** Stops the service and starts it again on the same data. */
  restart(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** The real service on the sandbox, on a free port with data of its own. It is called at `PORT` if the environment has one. */
export async function startWorld(
  env: Record<string, string> = {},
  log: Log = silentLog,
  clock: Clock = systemClock,
): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollbook-'))
  const config = readConfig({ PORT: '0', TOLLBOOK_DATA_DIR: dataDir, ...env })
  const urlOf = ({ site }: App) => (env.PORT ? `http://127.0.0.1:${env.PORT}` : site.baseUrl)
  const start = async () => {
    const started = await startApp({ config, log, clock })
    await untilMarketIsKnown(urlOf(started))
    return started
  }
  let app = await start()
  const send = (method: string, path: string, init: RequestInit = {}) =>
    fetch(`${urlOf(app)}${path}`, { method, redirect: 'manual', ...init })
  return {
    get app() {
      return app
    },
    get url() {
      return urlOf(app)
    },
    send,
    get: (path, headers = {}) => send('GET', path, { headers }),
    untilFresh: () => untilMarketIsKnown(urlOf(app)),
    async restart() {
      await app.stop()
      app = await start()
    },
    async [Symbol.asyncDispose]() {
      await app.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const NEEDED = ['prices', 'oracle', 'signals']
const ASK_EVERY_MS = 50
/** The service itself starts without a market after six seconds, which a busy machine takes for one test alone. */
const KNOWN_WITHIN_MS = 100_000

async function untilMarketIsKnown(url: string): Promise<void> {
  const giveUpMs = systemClock.now() + KNOWN_WITHIN_MS
  for (;;) {
    const { checks } = (await (await fetch(`${url}/health`)).json()) as Health
    const missing = checks.filter(({ name, status }) => NEEDED.includes(name) && status !== 'ok')
    if (missing.length === 0) return
    if (systemClock.now() > giveUpMs) throw new Error(`no market: ${JSON.stringify(missing)}`)
    await sleep(systemClock, ASK_EVERY_MS)
  }
}
type Health = { checks: { name: string; status: string; detail: string }[] }
