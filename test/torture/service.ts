import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TortureWorld } from './world.ts'

/** The real command in a process of its own, always on the same port and data. */
export type Service = {
  url: string
  dataDir: string
  logFile: string
  start(): Life
  /** Whatever still runs is gone afterwards. */
  end(): Promise<void>
  /** From start to the ready line, of every life that got there. */
  startsMs: readonly number[]
  /** Exits that the harness did not cause: each is a bug. */
  crashes: readonly string[]
}
export type Life = {
  isReady(): boolean
  /** Resolves when it serves, or when it has ended before. */
  settled: Promise<void>
  kill(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

const HOST = '127.0.0.1'
const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

export async function createService(world: TortureWorld, main = MAIN): Promise<Service> {
  const port = await findFreePort()
  const dataDir = join(world.dir, 'service')
  const logFile = join(world.dir, 'service.log')
  const startsMs: number[] = []
  const crashes: string[] = []
  let newest: Life | undefined
  const env = {
    PATH: process.env.PATH,
    HOST,
    PORT: String(port),
    TOLLBOOK_DATA_DIR: dataDir,
    TOLLBOOK_EVM_RPC_URL: world.nodeUrls.evm.join(),
    TOLLBOOK_SVM_RPC_URL: world.nodeUrls.svm.join(),
    TOLLBOOK_FACILITATORS: world.facilitatorUrls.join(','),
    TOLLBOOK_DEMO_CALLS_PER_DAY: '0',
    TOLLBOOK_TRUSTED_PROXIES: HOST,
  }
  return {
    url: `http://${HOST}:${port}`,
    dataDir,
    logFile,
    startsMs,
    crashes,
    start() {
      const startedMs = performance.now()
      const child = launch(main, env, world.dir, logFile)
      newest = watch(child, {
        ready: () => startsMs.push(performance.now() - startedMs),
        crashed: (how) => crashes.push(how),
      })
      return newest
    },
    end: async () => newest?.kill(),
  }
}

/** In a folder of its own: nobody's `.env` has a say. */
function launch(
  main: string,
  env: Record<string, string | undefined>,
  cwd: string,
  logFile: string,
): ChildProcess {
  const log = openSync(logFile, 'a', 0o600)
  const child = spawn(process.execPath, [main, 'serve'], { cwd, env, stdio: ['ignore', 'pipe', log] })
  closeSync(log)
  return child
}

function watch(child: ChildProcess, on: { ready(): void; crashed(how: string): void }): Life {
  let isReady = false
  let isWanted = false
  const gone = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      if (!isWanted) on.crashed(`${signal ?? `exit code ${code}`} ${isReady ? 'while serving' : 'at start'}`)
      isReady = false
      resolve()
    })
  })
  const ready = new Promise<void>((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (isReady || !text.includes('tollbook ready ')) return
      isReady = true
      on.ready()
      resolve()
    })
  })
  // A harness that dies must not leave the service behind.
  const leave = () => void child.kill('SIGKILL')
  process.once('exit', leave)
  void gone.then(() => process.off('exit', leave))
  return {
    isReady: () => isReady,
    settled: Promise.race([ready, gone]),
    async kill(signal = 'SIGKILL') {
      isWanted = true
      child.kill(signal)
      await gone
    },
  }
}

/** Below the ephemeral ports, so that no other process gets the service's port while it is dead. */
const PORTS = { from: 20_000, count: 10_000 } as const
const PORT_TRIES = 20

async function findFreePort(): Promise<number> {
  for (let tried = 0; tried < PORT_TRIES; tried++) {
    const port = PORTS.from + Math.floor(Math.random() * PORTS.count)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port found between ${PORTS.from} and ${PORTS.from + PORTS.count}`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, HOST, () => probe.close(() => resolve(true)))
  })
}
