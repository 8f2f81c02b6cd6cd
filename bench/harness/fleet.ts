import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { Pinning } from './cpu.ts'

/** A server in a process of its own, stopped by SIGSTOP while another one is measured. */
export type ServerProcess = {
  name: string
  pid: number
  host: string
  port: number
  pause(): void
  resume(): void
  /** Empties the log file, which a long run would let grow by hundreds of megabytes. */
  forgetLog(): void
  /** Throws the end of its log when the process is gone. */
  requireAlive(): void
}
export type ServerCommand = { name: string; args: readonly string[]; env?: NodeJS.ProcessEnv }
export type Fleet = {
  start(command: ServerCommand): Promise<ServerProcess>
  stopAll(): Promise<void>
  /** The last resort, for `exit` handlers: nothing outlives the benchmark. */
  killAll(): void
}

const READY_WITHIN_MS = 30_000
const STOP_WITHIN_MS = 5_000
const SHOWN_LOG_CHARS = 2_000

export function createFleet({ dir, pinning }: { dir: string; pinning: Pinning }): Fleet {
  const children = new Set<ChildProcess>()
  return {
    async start({ name, args, env = process.env }) {
      const logFile = join(dir, `${name}.log`)
      const log = openSync(logFile, 'a')
      const [file = process.execPath, ...rest] = [...pinning.prefix, process.execPath, ...args]
      // In a folder of its own: nobody's `.env` has a say.
      const child = spawn(file, rest, { cwd: dir, env, stdio: ['ignore', 'pipe', log] })
      closeSync(log)
      children.add(child)
      child.once('exit', () => children.delete(child))
      const { hostname, port } = await readyAddress(child, name, logFile)
      return {
        name,
        pid: child.pid as number,
        host: hostname,
        port: Number(port),
        pause: () => void child.kill('SIGSTOP'),
        resume: () => void child.kill('SIGCONT'),
        forgetLog: () => truncateSync(logFile),
        requireAlive() {
          if (child.exitCode === null && child.signalCode === null) return
          throw failure(name, `ended with ${child.exitCode ?? child.signalCode}`, logFile)
        },
      }
    },
    async stopAll() {
      await Promise.all([...children].map(stop))
    },
    killAll() {
      for (const child of children) child.kill('SIGKILL')
    },
  }
}

/** Every server says `ready <address>` on stdout once it serves. */
function readyAddress(child: ChildProcess, name: string, logFile: string): Promise<URL> {
  return new Promise((resolve, reject) => {
    const fail = (what: string) => reject(failure(name, what, logFile))
    const late = setTimeout(() => fail(`was not ready within ${READY_WITHIN_MS} ms`), READY_WITHIN_MS)
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      const address = /ready (http:\S+)\s/.exec(text)?.[1]
      if (!address) return
      clearTimeout(late)
      resolve(new URL(address))
    })
    child.once('error', (error) => fail(`did not start: ${error.message}`))
    child.once('exit', (code) => {
      clearTimeout(late)
      fail(`ended with ${code}`)
    })
  })
}

function failure(name: string, what: string, logFile: string): Error {
  return new Error(`${name} ${what}\n${readFileSync(logFile, 'utf8').slice(-SHOWN_LOG_CHARS)}`)
}

/** A stopped process only sees the signal once it goes on. */
async function stop(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  child.kill('SIGCONT')
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
  await gone
  clearTimeout(late)
}
