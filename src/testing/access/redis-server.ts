import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { endWithUs } from '../end-with-us.ts'
import { isMissing } from '../missing.ts'

const PROGRAM = 'redis-server'
export const isRedisMissing = isMissing('redis', canRun())

export type RedisServer = {
  url: string
  pid(): number
  /** As an operator asks it. */
  admin<T>(ask: (client: Redis) => Promise<T>): Promise<T>
  /** Again, after it was killed. */
  start(): Promise<void>
  kill(): Promise<void>
  /** For good. */
  end(): Promise<void>
  /** Keeps connections open and answers nobody. */
  freeze(): void
  thaw(): void
}

/** A Redis of a test's own; whatever it is told to keep is gone when it ends. */
export async function startRedis(...settings: readonly string[]): Promise<RedisServer> {
  const port = await freePort()
  const dir = mkdtempSync(join(tmpdir(), 'redis-'))
  const fixed = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', dir]
  let child: ChildProcess | undefined
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    pid: () => child?.pid ?? 0,
    async admin(ask) {
      const client = new Redis(port, '127.0.0.1')
      return ask(client).finally(() => client.disconnect())
    },
    async start() {
      child = spawn(PROGRAM, [...fixed, ...settings], { stdio: ['ignore', 'pipe', 'inherit'] })
      endWithUs(child)
      for await (const text of child.stdout ?? []) if (String(text).includes('Ready to accept')) break
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    async end() {
      await server.kill()
      rmSync(dir, { recursive: true, force: true })
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  }
  await server.start()
  return server
}

function canRun(): boolean {
  try {
    execFileSync(PROGRAM, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
