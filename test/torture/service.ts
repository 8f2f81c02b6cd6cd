import { join } from 'node:path'
import { choosePort } from '../../src/http/listen.ts'
import { type ProcessLife, startProcess, TOLLBOOK_MAIN } from '../../src/testing/process-life.ts'
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

export async function createService(world: TortureWorld, main = TOLLBOOK_MAIN): Promise<Service> {
  const port = await choosePort(HOST, 0)
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
      const process = startProcess({ args: [main, 'serve'], env, cwd: world.dir, logFile })
      newest = watch(process, {
        ready: () => startsMs.push(performance.now() - startedMs),
        crashed: (how) => crashes.push(how),
      })
      return newest
    },
    end: async () => newest?.kill(),
  }
}

function watch(process: ProcessLife, on: { ready(): void; crashed(how: string): void }): Life {
  let isReady = false
  const gone = process.gone.then(({ how, isWanted }) => {
    if (!isWanted) on.crashed(`${how} ${isReady ? 'while serving' : 'at start'}`)
    isReady = false
  })
  const ready = new Promise<void>((resolve) => {
    process.onText((text) => {
      if (isReady || !text.includes('tollbook ready ')) return
      isReady = true
      on.ready()
      resolve()
    })
  })
  return {
    isReady: () => isReady,
    settled: Promise.race([ready, gone]),
    async kill(signal = 'SIGKILL') {
      await process.kill(signal)
      await gone
    },
  }
}
