import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { endWithUs } from './end-with-us.ts'

/** How a process ended; wanted where the harness ended it. */
export type ProcessEnd = { how: string; isWanted: boolean }
/** One run of a command in a process of its own, until it is gone. */
export type ProcessLife = {
  pid: number
  gone: Promise<ProcessEnd>
  isGone(): boolean
  /** What it says on stdout, as it comes. */
  onText(hear: (text: string) => void): void
  kill(signal?: NodeJS.Signals): Promise<void>
}
export type ProcessInput = {
  /** Main file and arguments. */
  args: readonly string[]
  /** Of Node, before the main file. */
  flags?: readonly string[]
  env: Record<string, string | undefined>
  /** A folder of its own: nobody's `.env` has a say. */
  cwd: string
  /** Gets stderr, added to what it has. */
  logFile: string
}

/** The command `tollbook`. */
export const TOLLBOOK_MAIN = fileURLToPath(new URL('../cli/main.ts', import.meta.url))

export function startProcess({ args, flags = [], env, cwd, logFile }: ProcessInput): ProcessLife {
  const log = openSync(logFile, 'a', 0o600)
  const child = spawn(process.execPath, [...flags, ...args], { cwd, env, stdio: ['ignore', 'pipe', log] })
  closeSync(log)
  let isWanted = false
  let isGone = false
  const gone = new Promise<ProcessEnd>((resolve) => {
    child.once('exit', (code, signal) => {
      isGone = true
      resolve({ how: signal ?? `exit code ${code}`, isWanted })
    })
  })
  child.stdout?.setEncoding('utf8').resume()
  endWithUs(child)
  return {
    pid: child.pid ?? 0,
    gone,
    isGone: () => isGone,
    onText: (hear) => void child.stdout?.on('data', hear),
    async kill(signal = 'SIGKILL') {
      isWanted = true
      child.kill(signal)
      await gone
    },
  }
}
