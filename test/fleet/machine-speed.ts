import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const WORK = Buffer.alloc(4_000_000)
const WRITTEN = Buffer.alloc(200)
const WRITES = 20
const NS_PER_MS = 1_000_000

/**
 * What the same work takes each time it is asked, in words: a fleet that falls behind while this takes longer as well
 * runs on a machine that became slower.
 */
export async function openMachineSpeed(dir: string) {
  const file = await open(join(dir, 'synced'), 'w')
  const loop = monitorEventLoopDelay({ resolution: 10 })
  loop.enable()
  return {
    async tell(): Promise<string> {
      const [late, latest] = [loop.percentile(50), loop.max].map((ns) => (ns / NS_PER_MS).toFixed(0))
      const syncedMs: number[] = []
      for (let count = 0; count < WRITES; count++) {
        const startedMs = performance.now()
        await file.write(WRITTEN)
        await file.datasync()
        syncedMs.push(performance.now() - startedMs)
      }
      const before = process.threadCpuUsage()
      createHash('sha256').update(WORK).digest()
      const { user, system } = process.threadCpuUsage(before)
      loop.reset()
      const meanMs = syncedMs.reduce((total, ms) => total + ms, 0) / WRITES
      const hashed = `4 MB hashed in ${((user + system) / 1000).toFixed(1)} ms of CPU`
      const synced = `a write synced in ${meanMs.toFixed(2)} ms, at most ${Math.max(...syncedMs).toFixed(2)}`
      return `${hashed}, ${synced}; a turn of the buyers' event loop ${late} ms, at most ${latest}`
    },
    async end(): Promise<void> {
      loop.disable()
      await file.close()
    },
  }
}
