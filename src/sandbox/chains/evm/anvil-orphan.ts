import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { z } from 'zod'
import { writePrivateFile } from '../../../core/private-file.ts'
import { sleep, systemClock } from '../../../core/time/clock.ts'

const PidFile = z.object({ pid: z.int().positive(), parent: z.int().positive() })

/** What the kernel says about a process. */
type Running = { parent: number; command: string }

const LEAVE_LIMIT_MS = 10_000
const LOOK_EVERY_MS = 20

export function recordAnvil(pidFile: string, pid: number): void {
  writePrivateFile(pidFile, JSON.stringify({ pid, parent: process.pid }))
}

/**
 * Stops the anvil that a killed parent left behind; on SIGTERM it writes its state first.
 * Process ids are reused, so only a process that runs with our state file is stopped.
 */
export async function endOrphan(pidFile: string, stateFile: string): Promise<boolean> {
  const recorded = readPidFile(pidFile)
  const running = recorded && findProcess(recorded.pid)
  const isOurs = running?.command.includes('anvil') && running.command.includes(stateFile)
  if (!recorded || !running || !isOurs) {
    rmSync(pidFile, { force: true })
    return false
  }
  if (running.parent === recorded.parent && running.parent !== process.pid) {
    throw new Error(
      `process ${recorded.parent} already runs a sandbox on ${stateFile}: give each its own data dir`,
    )
  }
  await endProcess(recorded.pid)
  rmSync(pidFile, { force: true })
  return true
}

async function endProcess(pid: number): Promise<void> {
  signal(pid, 'SIGTERM')
  for (let waitedMs = 0; findProcess(pid); waitedMs += LOOK_EVERY_MS) {
    if (waitedMs === LEAVE_LIMIT_MS) signal(pid, 'SIGKILL')
    if (waitedMs > 2 * LEAVE_LIMIT_MS) throw new Error(`anvil, process ${pid}, does not exit`)
    await sleep(systemClock, LOOK_EVERY_MS)
  }
}

/** The process may have exited since it was found. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function readPidFile(pidFile: string): z.infer<typeof PidFile> | undefined {
  if (!existsSync(pidFile)) return undefined
  try {
    return PidFile.parse(JSON.parse(readFileSync(pidFile, 'utf8')))
  } catch {
    // Cut off by a power loss, so its process is gone too.
    return undefined
  }
}

/** `undefined` for a process that is gone or a zombie. */
function findProcess(pid: number): Running | undefined {
  return existsSync('/proc/self/stat') ? findInProc(pid) : findWithPs(pid)
}

function findInProc(pid: number): Running | undefined {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    // The name in parentheses may contain spaces and parentheses; state and parent follow the last `)`.
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return state === 'Z' ? undefined : { parent: Number(parent), command }
  } catch {
    return undefined
  }
}

/** For macOS, which has no /proc. Windows has no ps either: an orphan is left running there. */
function findWithPs(pid: number): Running | undefined {
  try {
    const line = execFileSync('ps', ['-p', String(pid), '-o', 'ppid=,command='], { encoding: 'utf8' }).trim()
    const [, parent, command] = /^(\d+)\s+(.*)$/s.exec(line) ?? []
    return parent && command ? { parent: Number(parent), command } : undefined
  } catch {
    return undefined
  }
}
