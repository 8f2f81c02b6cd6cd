import { existsSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { explainFileFault } from '../../../core/file-fault.ts'
import { diskDependency } from '../../health/disk.ts'
import { type Check, failure, ok, warning } from '../check.ts'

const MEGABYTE = 1_048_576
/** The log of the ledger alone may take 64 MB. */
const FULL_BELOW_BYTES = 100 * MEGABYTE
/** A few days of sales, records and history. */
const LOW_BELOW_BYTES = 1_024 * MEGABYTE
const FREE_SOME = 'free some space, or name a directory on another disk in TOLLBOOK_DATA_DIR'

/** Free bytes for this user on the disk of an existing path. */
export type FreeBytes = (path: string) => number

export const freeBytes: FreeBytes = (path) => {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
}

/** How much is free, and that a durable write succeeds, as the service tries it. */
export function diskCheck(dataDir: string, free: FreeBytes): Check {
  return {
    name: 'disk',
    group: 'machine',
    advice: FREE_SOME,
    async run() {
      let path = resolve(dataDir)
      const isThere = existsSync(path)
      while (!existsSync(path)) path = dirname(path)
      const bytes = free(path)
      const what = `${Math.floor(bytes / MEGABYTE)} MB free`
      if (bytes < FULL_BELOW_BYTES) return failure(`${what} at ${path}: the ledger cannot grow`, FREE_SOME)
      // The service's own probe: it leaves nothing behind, and makes no directory.
      if (isThere) await write(dataDir)
      return bytes < LOW_BELOW_BYTES
        ? warning(`${what} at ${path}`, FREE_SOME)
        : ok(isThere ? `${what}, a durable write succeeds` : what)
    },
  }
}

async function write(dataDir: string): Promise<void> {
  try {
    await diskDependency(dataDir).probe()
  } catch (error) {
    throw explainFileFault(dataDir, error) ?? error
  }
}
