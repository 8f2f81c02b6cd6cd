import { statSync } from 'node:fs'

/** Cause and next step for what the system says of a file. */
const FAULTS: Readonly<Record<string, { cause: (path: string) => string; next: string }>> = {
  ENOENT: { cause: () => 'it does not exist', next: 'correct the path or create it' },
  ENOTDIR: { cause: () => 'a part of the path is a file, not a directory', next: 'correct the path' },
  EEXIST: { cause: () => 'a file is where a directory should be', next: 'correct the path' },
  EISDIR: { cause: () => 'it is a directory', next: 'correct the path' },
  EACCES: { cause: notAllowed, next: 'change its owner or start as that user' },
  EPERM: { cause: notAllowed, next: 'change its owner or start as that user' },
  EROFS: { cause: () => 'the file system is read-only', next: 'mount it writable' },
  ENOSPC: { cause: () => 'the disk is full', next: 'free some space and try again' },
  EDQUOT: { cause: () => 'the disk quota is used up', next: 'free some space and try again' },
  EIO: { cause: () => 'the disk reports an error', next: 'check the disk' },
}

/** An error of the file system with path, cause and next step; undefined for any other error. */
export function explainFileFault(path: string, error: unknown, orElse = ''): Error | undefined {
  const fault = FAULTS[codeOf(error) ?? '']
  if (!fault) return undefined
  return new Error(`${path} cannot be used, ${fault.cause(path)}: ${fault.next}${orElse}`, { cause: error })
}

export const isFileFault = (error: unknown): boolean => (codeOf(error) ?? '') in FAULTS

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

function notAllowed(path: string): string {
  const self = process.getuid?.()
  if (self === undefined) return 'access is denied'
  const owner = statSync(path, { throwIfNoEntry: false })?.uid
  return `user ${self} lacks access${owner === undefined || owner === self ? '' : `, it belongs to user ${owner}`}`
}
