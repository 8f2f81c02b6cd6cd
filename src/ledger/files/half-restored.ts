import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { flushDirectory } from '../../core/flush.ts'
import { writePrivateFile } from '../../core/private-file.ts'

/** There from the moment that a restore begins to replace files until all of them are replaced. */
const markPath = (dataDir: string) => join(dataDir, 'restoring')

/** `isSealed`: its keys want a passphrase. */
type Restoring = { backup: string; keysOnly: boolean; isSealed: boolean }

/** Keeps the command that finishes it. */
export function markRestoring(dataDir: string, { backup, keysOnly, isSealed }: Restoring): void {
  const quoted = `'${resolve(backup).replaceAll("'", `'\\''`)}'`
  const options = `--force${keysOnly ? ' --keys-only' : ''}`
  const passphrase = isSealed ? ' (with the passphrase, as before)' : ''
  writePrivateFile(markPath(dataDir), `./tollbook restore ${quoted} ${options}${passphrase}`)
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
      `${dataDir} is half restored, a restore was cut off: run ${readFileSync(mark, 'utf8')} again; ` +
        'what was here before is kept beside it under names with before-restore',
    )
}
