import { open, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Dependency } from './watch.ts'

const EVERY_MS = 10_000
/** More than a sale writes. */
const BYTES = 16_384

/** Writes a file durably and removes it. Written anew each time: a full disk still takes what it already holds. */
export function diskDependency(dataDir: string): Dependency {
  const file = join(dataDir, 'disk.probe')
  return {
    name: 'disk',
    where: { path: resolve(dataDir) },
    trouble: 'cannot be written',
    everyMs: EVERY_MS,
    async probe() {
      try {
        await using handle = await open(file, 'w', 0o600)
        await handle.writeFile(Buffer.alloc(BYTES))
        await handle.sync()
      } finally {
        await rm(file, { force: true })
      }
    },
  }
}
