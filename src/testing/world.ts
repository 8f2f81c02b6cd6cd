import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, startApp } from '../app/start.ts'
import { readConfig } from '../config/config.ts'
import { systemClock } from '../core/clock.ts'
import { type Log, silentLog } from '../core/log.ts'

export type World = {
  app: App
  url: string
  get(path: string, headers?: Record<string, string>): Promise<Response>
  send(method: string, path: string, init?: RequestInit): Promise<Response>
  /** Stops the service and starts it again on the same data. */
  restart(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** The real service on the sandbox, on a free port with data of its own. */
export async function startWorld(env: Record<string, string> = {}, log: Log = silentLog): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollbook-'))
  const config = readConfig({ PORT: '0', TOLLBOOK_DATA_DIR: dataDir, ...env })
  const start = () => startApp({ config, log, clock: systemClock })
  let app = await start()
  const send = (method: string, path: string, init: RequestInit = {}) =>
    fetch(`${app.site.baseUrl}${path}`, { method, redirect: 'manual', ...init })
  return {
    get app() {
      return app
    },
    get url() {
      return app.site.baseUrl
    },
    send,
    get: (path, headers = {}) => send('GET', path, { headers }),
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
