import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { flushDirectory } from '../../core/flush.ts'
import { writePrivateFile } from '../../core/private-file.ts'

/** There from the moment that a restore begins to replace files until all of them are replaced. */
const markPath = (dataDir: string) => join(dataDir, 'restoring')

export function markRestoring(dataDir: string, backup: string): void {
  writePrivateFile(markPath(dataDir), resolve(backup))
  flushDirectory(dataDir)
}

export function markRestored(dataDir: string): void {
  rmSync(markPath(dataDir))
  flushDirectory(dataDir)
}

/** Throws where a restore was cut off: ledger and keys may be of two different times. */
export function refuseHalfRestored(dataDir: string): void {
  const mark = markPath(dataDir)
  if (existsSync(mark))
    throw new Error(
      `${dataDir} is half restored, a restore was cut off: run ./tollbook restore ${readFileSync(mark, 'utf8')} --force ` +
        'again; what was here before is kept beside it under names with before-restore',
    )
}
