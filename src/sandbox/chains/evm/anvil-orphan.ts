import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { z } from 'zod'
import { sleep, systemClock } from '../../../core/clock.ts'
import { writePrivateFile } from '../../../core/private-file.ts'

const PidFile = z.object({ pid: z.int().positive(), parent: z.int().positive() })

/** What the kernel says about a process. */
type Running = { parent: number; command: string }

const LEAVE_LIMIT_MS = 10_000
const LOOK_EVERY_MS = 20

export function recordAnvil(pidFile: string, pid: number): void {
  writePrivateFile(pidFile, JSON.stringify({ pid, parent: process.pid }))
}

/**
 * Ends the anvil that a killed parent left behind; asked politely, it writes its state first.
 * Only a process that runs with our state file is ours to end: numbers are used again.
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
    if (waitedMs > 2 * LEAVE_LIMIT_MS) throw new Error(`anvil, process ${pid}, does not end`)
    await sleep(systemClock, LOOK_EVERY_MS)
  }
}

/** It may end by itself between our look and our signal. */
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
    // Half-written by a machine that lost power: nothing of that time runs any more.
    return undefined
  }
}

/** `undefined` for a process that is gone, or only waits for its parent to notice that it ended. */
function findProcess(pid: number): Running | undefined {
  return existsSync('/proc/self/stat') ? findInProc(pid) : findWithPs(pid)
}

function findInProc(pid: number): Running | undefined {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    // The name in parentheses may itself hold spaces; state and parent follow the last one.
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return state === 'Z' ? undefined : { parent: Number(parent), command }
  } catch {
    return undefined
  }
}

/** macOS has no /proc; Windows has neither, and there an orphan is left alone. */
function findWithPs(pid: number): Running | undefined {
  try {
    const line = execFileSync('ps', ['-p', String(pid), '-o', 'ppid=,command='], { encoding: 'utf8' }).trim()
    const [, parent, command] = /^(\d+)\s+(.*)$/s.exec(line) ?? []
    return parent && command ? { parent: Number(parent), command } : undefined
  } catch {
    return undefined
  }
}
