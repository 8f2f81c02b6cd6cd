import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeError } from '../../core/describe-error.ts'
import type { Secret } from '../../core/secret.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { DAY_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { BackupJob, BackupReply } from './backup-process.ts'

/** The newest, and besides the newest of each of the last days: many on one day must not push out those before it. */
export const BACKUPS_KEPT = 7
export const BACKUP_DAYS = 7
/** A ledger of ten gigabytes is copied in two or three. */
const MAX_BACKUP_MS = 10 * MINUTE_MS
const PROGRAM = fileURLToPath(new URL('./backup-process.ts', import.meta.url))
/** What a backup of ours is called; nothing else in the folder is ever removed. */
const NAME = /^backup-\d{8}T\d{9}Z\.sqlite$/

export type KeptBackup = {
  file: string
  bytes: number
  settled: number
  keys: number
  /** Backups that are there now, and those that had to go. */
  kept: number
  removed: number
}
/** Backups in the data directory itself: they help against mistakes, not against the loss of the disk. */
export type KeptBackups = { make(): Promise<KeptBackup> }
type Ports = { dataDir: string; passphrase: Secret | undefined; clock: Clock }

export function createKeptBackups({ dataDir, passphrase, clock }: Ports): KeptBackups {
  const folder = folderIn(dataDir)
  return {
    async make() {
      makeFolder(folder)
      const file = join(folder, nameAt(clock.now()))
      const made = await runBackup({ dataDir, target: file, passphrase: passphrase?.reveal() }, clock)
      if ('fault' in made) throw notMade(made.fault)
      return { ...made, file, bytes: statSync(file).size, ...removeOld(folder, clock.now()) }
    },
  }
}

const folderIn = (dataDir: string) => join(dataDir, 'backups')

/** When the newest one was made; undefined where there is none. */
export function newestBackupMs(dataDir: string): number | undefined {
  const folder = folderIn(dataDir)
  const newest = existsSync(folder) ? namesIn(folder).at(-1) : undefined
  return newest === undefined ? undefined : statSync(join(folder, newest)).mtimeMs
}

function makeFolder(folder: string): void {
  try {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    throw notMade(describeError(error))
  }
}

/** `backup-20260105T120000000Z.sqlite`: names sort by time. */
const nameAt = (ms: number) => `backup-${new Date(ms).toISOString().replace(/[-:.]/g, '')}.sqlite`

const namesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort()

/** Only once the new one is complete. */
function removeOld(folder: string, nowMs: number): { kept: number; removed: number } {
  const names = namesIn(folder)
  const since = dayOf(nameAt(nowMs - (BACKUP_DAYS - 1) * DAY_MS))
  const newestOfDay = new Map(names.map((name) => [dayOf(name), name]))
  const isKept = (name: string, at: number) =>
    at >= names.length - BACKUPS_KEPT || (dayOf(name) >= since && newestOfDay.get(dayOf(name)) === name)
  const old = names.filter((name, at) => !isKept(name, at))
  for (const name of old) rmSync(join(folder, name), { force: true })
  return { kept: names.length - old.length, removed: old.length }
}

const dayOf = (name: string): string => name.slice(0, 'backup-20260105'.length)

/** The job goes by message: what stands in the environment or on the command line others can read. */
async function runBackup(job: BackupJob, clock: Clock): Promise<BackupReply> {
  const child = fork(PROGRAM, { env: {}, execArgv: [], stdio: 'ignore' })
  const cancel = clock.after(MAX_BACKUP_MS, () => child.kill('SIGKILL'))
  try {
    const replied = replyOf(child)
    child.send(job)
    return await replied
  } finally {
    cancel()
  }
}

function replyOf(child: ChildProcess): Promise<BackupReply> {
  return new Promise((resolve) => {
    child.once('message', (reply) => resolve(reply as BackupReply))
    child.once('error', ({ message }) => resolve({ fault: message }))
    child.once('exit', (code, signal) =>
      resolve({ fault: `its process ended early with ${signal ?? `code ${code}`}` }),
    )
  })
}

const notMade = (fault: string) =>
  new ServiceError('store_unavailable', `no backup was made: ${fault}`, {
    hint: 'look at free space and permissions of the data directory, then try again',
  })
