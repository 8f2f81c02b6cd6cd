import { accessSync, constants, existsSync, lstatSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileBegins } from '../../core/file-begins.ts'
import { explainFileFault, isFileFault } from '../../core/file-fault.ts'

/** The lower byte of an SQLite result code; the rest says more than a person needs. */
const PRIMARY = 0xff
const CODE = {
  logic: 1,
  busy: 5,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notDatabase: 26,
} as const

/** What to do about a file that cannot be read: another one takes its place. */
const REPLACE = {
  ledger: 'put a backup back with ./tollbook restore <backup> --force, which keeps this file aside',
  backup: 'use another backup',
} as const
export type FileRole = keyof typeof REPLACE
const OF_PG_DUMP = 'PGDMP'
const ELSEWHERE = ', or name another directory in TOLLBOOK_DATA_DIR'

/** The smallest page that SQLite has: a shorter file passes for an empty database. */
const LEAST_BYTES = 512
/** What the index of the log takes, and a little. */
const FULL_BELOW_BYTES = 65_536

/**
 * Throws where the path cannot be a ledger of this service, before SQLite sees it: SQLite would make a new database of
 * a file without content, and follow a link past the lock of the directory that the ledger is in.
 */
export function checkLedgerFile(file: string): void {
  const entry = lstatSync(file, { throwIfNoEntry: false })
  if (!entry) {
    checkNoLog(file)
    return
  }
  if (entry.isSymbolicLink())
    throw new Error(`${file} is a symbolic link: set TOLLBOOK_DATA_DIR to the directory of the real file`)
  if (!entry.isFile()) throw new Error(`${file} is not a file: remove it${ELSEWHERE}`)
  if (entry.nlink > 1)
    throw new Error(
      `${file} has ${entry.nlink} names (hard links), and two services could write it at once: remove the others, or copy the file and run ./tollbook adopt`,
    )
  checkHasContent(file, 'ledger')
}

/** The log of a ledger that is gone would be read into the next one. */
function checkNoLog(file: string): void {
  if (sizeOf(`${file}-wal`) > 0)
    throw new Error(
      `${file} is gone and its log ${file}-wal is still there, so a ledger that was here is lost: ${REPLACE.ledger}; ` +
        'remove the log if the ledger was removed on purpose',
    )
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

export const hasContent = (file: string): boolean => sizeOf(file) >= LEAST_BYTES

export function checkHasContent(file: string, role: FileRole): void {
  if (hasContent(file)) return
  const lost =
    role === 'ledger'
      ? `so a ledger that was here is lost: ${REPLACE.ledger}; remove the file if it never held anything`
      : `so it holds no ledger: ${REPLACE.backup}`
  throw new Error(`${file} is empty (${sizeOf(file)} bytes), ${lost}`)
}

/** An error of SQLite with path, cause and next step; any other error as it is. */
export function explainLedgerFault(file: string, error: unknown, role: FileRole = 'ledger'): unknown {
  const code = sqliteCodeOf(error)
  if (code === undefined)
    return isFileFault(error)
      ? (findAccessFault(file) ?? explainFileFault(dirname(file), error, ELSEWHERE))
      : error
  const say = (text: string) => new Error(`${file} ${text}`, { cause: error })
  if (code === CODE.notDatabase && role === 'backup' && fileBegins(file, OF_PG_DUMP))
    return say('is a dump of a database: name an empty database with --database, and it is put back there')
  if (code === CODE.notDatabase)
    return say(`is not a database, so it is no ledger: ${REPLACE[role]}${role === 'ledger' ? ELSEWHERE : ''}`)
  if (code === CODE.corrupt) return say(`is damaged (${messageOf(error)}): ${REPLACE[role]}`)
  // Tables or columns are other than those of its version.
  if (code === CODE.logic) return say(`is out of order (${messageOf(error)}): ${REPLACE[role]}`)
  if (code === CODE.full || (code === CODE.io && isFull(dirname(file))))
    return say('cannot be written, the disk is full: free some space and try again; nothing was lost')
  if (code === CODE.busy) return say('is being written by another process: wait for it, or stop it')
  return findAccessFault(file) ?? say(`cannot be used (${messageOf(error)}): check the disk${ELSEWHERE}`)
}

/** A memory-mapped index that finds no room ends in an I/O error. */
function isFull(directory: string): boolean {
  if (!existsSync(directory)) return false
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize < FULL_BELOW_BYTES
}

/** The content is at fault, not the disk. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCodeOf(error)
  return code === CODE.corrupt || code === CODE.notDatabase
}

/** "Unable to open" has many causes: the first thing on the way to the file that the system refuses is named. */
function findAccessFault(file: string): Error | undefined {
  const { R_OK, W_OK, X_OK } = constants
  let directory = dirname(file)
  while (!existsSync(directory) && directory !== dirname(directory)) directory = dirname(directory)
  if (!statSync(directory).isDirectory())
    return new Error(`${directory} is a file, not a directory: correct the path${ELSEWHERE}`)
  const beside = ['', '-wal', '-shm'].map((suffix) => `${file}${suffix}`).filter((each) => existsSync(each))
  for (const [path, wanted] of [
    [directory, R_OK | W_OK | X_OK] as const,
    ...beside.map((each) => [each, R_OK | W_OK] as const),
  ])
    try {
      accessSync(path, wanted)
    } catch (error) {
      return explainFileFault(path, error, ELSEWHERE)
    }
  return undefined
}

function sqliteCodeOf(error: unknown): number | undefined {
  const isFromDatabase = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
  return isFromDatabase ? (error.errcode as number) & PRIMARY : undefined
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
