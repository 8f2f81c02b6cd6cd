import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryDir } from '../../src/testing/ledger/temporary-dir.ts'
import { isMissing } from '../../src/testing/missing.ts'

export type SmallDisk = { path: string; fill(): void; free(): void; makeReadOnly(): boolean }

const run = (command: string, ...args: string[]) => spawnSync(command, args).status === 0

/** A file system in memory, mounted for the running test. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const path = join(temporaryDir(), 'disk')
  mkdirSync(path)
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path))
    throw new Error(`cannot mount ${path}`)
  onTestFinished(() => void run('umount', '--lazy', path))
  const filler = join(path, 'filler')
  return {
    path,
    fill() {
      try {
        writeFileSync(filler, Buffer.alloc(megabytes * 1_048_576))
      } catch {
        // Until nothing more fits in.
      }
    },
    free: () => rmSync(filler),
    // Busy with files open for writing the system refuses; a lazy remount is not offered.
    makeReadOnly: () => run('mount', '-o', 'remount,ro', path),
  }
}

export const noSmallDisk = isMissing(
  'mount',
  run('unshare', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'),
)
