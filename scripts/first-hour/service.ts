import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clone, Environment } from './clone.ts'

/** JSON that nobody has checked yet. */
export type Json = ReturnType<typeof JSON.parse>

export type Service = {
  url: string
  secondsToReady: number
  process: ChildProcess
  /** All that it has written to stderr, once what is buffered is there too. */
  log(): Promise<string>
  /** The lines of its log. */
  lines(): Promise<Json[]>
  get(path: string, init?: RequestInit): Promise<Response>
  /** The body of a reply, whatever its status. */
  json(path: string, init?: RequestInit): Promise<Json>
  stop(): Promise<void>
}
type Options = { env?: Environment; viaNpm?: boolean }

const READY = /^tollbook ready (\S+) mode=\w+$/m
const READY_WITHIN_MS = 90_000
const STOPS_WITHIN_MS = 20_000
const POLL_MS = 50
/** The log is written in blocks. */
const LOG_FLUSH_MS = 1_000

/** Starts the service and waits for its ready line; throws what it wrote when it ends instead. */
export async function startService(
  clone: Clone,
  { env = {}, viaNpm = false }: Options = {},
): Promise<Service> {
  const startedMs = performance.now()
  const [command, args] = viaNpm ? ['npm', ['start']] : ['./tollbook', ['serve']]
  const child = spawn(command, args, { cwd: clone.dir, env: clone.env({ PORT: '0', ...env }) })
  child.stdin.end()
  const written = { out: '', err: '' }
  child.stdout.on('data', (chunk) => (written.out += chunk))
  child.stderr.on('data', (chunk) => (written.err += chunk))
  while (!READY.test(written.out)) {
    if (hasEnded(child)) throw new Error(`the service ended with ${child.exitCode}: ${written.err.trim()}`)
    if (performance.now() - startedMs > READY_WITHIN_MS) throw new Error(`not ready: ${written.err.trim()}`)
    await sleep(POLL_MS)
  }
  const url = READY.exec(written.out)?.[1] ?? ''
  const log = async () => {
    await sleep(LOG_FLUSH_MS)
    return written.err
  }
  const get: Service['get'] = (path, init) => fetch(new URL(path, url), { redirect: 'manual', ...init })
  return {
    url,
    secondsToReady: (performance.now() - startedMs) / 1000,
    process: child,
    log,
    lines: async () =>
      (await log())
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    get,
    json: async (path, init) => (await get(path, init)).json(),
    async stop() {
      child.kill('SIGTERM')
      await endOf(child, STOPS_WITHIN_MS)
    },
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

/** Waits for a process to end; one that does not is killed, and is a fault. */
export async function endOf(child: ChildProcess, withinMs: number): Promise<void> {
  if (hasEnded(child)) return
  await once(child, 'exit', { signal: AbortSignal.timeout(withinMs) }).catch(() => {
    child.kill('SIGKILL')
    throw new Error(`it still runs ${withinMs / 1000} s after it was told to stop`)
  })
}

/** Starts the service only to see it refused; returns its message. */
export async function refusedStart(clone: Clone, env: Environment): Promise<string> {
  const { code, err, out } = await clone.tollbook(['serve'], {
    env: { PORT: '0', ...env },
    killAfterMs: 60_000,
  })
  if (code !== 1) throw new Error(`exit code ${code}, expected 1: ${out}${err}`)
  return err
}
