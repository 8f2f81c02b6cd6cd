import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endOrphan } from '../../sandbox/chains/evm/anvil-orphan.ts'
import { EVM_STATE_FILE } from '../../sandbox/state-files.ts'

const MAIN = fileURLToPath(new URL('../../cli/main.ts', import.meta.url))

export type CommandProcess = {
  pid: number
  /** The ready line, or undefined where it ended without one. */
  ready: Promise<string | undefined>
  said: { stdout: string; stderr: string }
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | string>
  stop(signal: NodeJS.Signals): Promise<number | string>
}

/** A command in a process of its own, in the data directory as its folder: nobody's `.env` has a say. */
export function startCommand(
  command: string,
  dataDir: string,
  env: Record<string, string> = {},
): CommandProcess {
  const own = { PATH: process.env.PATH, TOLLBOOK_DATA_DIR: dataDir, ...env }
  const child = spawn(process.execPath, [MAIN, command], { cwd: dataDir, env: own })
  const said = { stdout: '', stderr: '' }
  const ended = new Promise<number | string>((done) => {
    child.once('close', (code, signal) => done(signal ?? code ?? 0))
  })
  const readyLine = new Promise<string>((done) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said.stdout += text
      const line = /^(tollbook.* ready .*)\n/m.exec(said.stdout)
      if (line?.[1]) done(line[1])
    })
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text
  })
  const leave = () => void child.kill('SIGKILL')
  process.once('exit', leave)
  void ended.then(() => process.off('exit', leave))
  return {
    pid: child.pid ?? 0,
    ready: Promise.race([readyLine, ended.then(() => undefined)]),
    said,
    ended,
    stop(signal) {
      child.kill(signal)
      return ended
    },
  }
}

/** Ends the chain that a killed sandbox left behind. */
export const endChainOf = (dataDir: string): Promise<boolean> =>
  endOrphan(join(dataDir, 'anvil.pid'), resolve(dataDir, EVM_STATE_FILE))
