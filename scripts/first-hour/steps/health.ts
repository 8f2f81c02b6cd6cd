import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIVE } from '../live.ts'
import { freePort } from '../ports.ts'
import { type Json, type Service, startService } from '../service.ts'
import type { Step } from '../step.ts'

const NOTICED_WITHIN_MS = 30_000
const DOWN = 'a dependency is down'
const WELL = 'a dependency is well again'

export const healthSteps: Step[] = [
  {
    item: 6,
    says: 'a disk that cannot be written shows in /health, and once in the log',
    async walk({ clone }) {
      if (process.getuid?.() === 0) return 'not tried: nothing is forbidden to root'
      const dir = clone.folder('disk')
      const service = await startService(clone, { env: { TOLLBOOK_DATA_DIR: dir } })
      try {
        chmodSync(dir, 0o500)
        const noticed = await untilDisk(service, (status) => status !== 'ok')
        chmodSync(dir, 0o700)
        const over = await untilDisk(service, (status) => status === 'ok')
        const [down, well] = [await faultsOf(service, DOWN, 'disk'), await faultsOf(service, WELL, 'disk')]
        assert.deepEqual([down.length, well.length], [1, 1])
        return `noticed after ${noticed.toFixed(0)} s, over after ${over.toFixed(0)} s, one line each: ${down[0].cause}`
      } finally {
        chmodSync(dir, 0o700)
        await service.stop()
      }
    },
  },
  {
    item: 6,
    says: 'a live start with dead nodes and facilitator logs each once',
    async walk({ clone }) {
      const PORT = String(await freePort())
      const env = { ...LIVE, TOLLBOOK_DATA_DIR: clone.folder('live'), PORT }
      const service = await startService(clone, { env })
      try {
        const names = (await faultsOf(service, DOWN)).map(({ dependency }) => dependency)
        assert.equal(new Set(names).size, names.length, names.join())
        for (const name of ['base', 'solana']) assert.ok(names.includes(name), names.join())
        assert.ok(names.length >= 3, names.join())
        // Not at the public address, which is made up.
        const health = await fetch(`http://127.0.0.1:${PORT}/health`)
        assert.equal(health.status, 503)
        return names.join(', ')
      } finally {
        await service.stop()
      }
    },
  },
]

async function faultsOf(service: Service, message: string, name?: string): Promise<Json[]> {
  const lines = await service.lines()
  return lines.filter(({ msg, dependency }) => msg === message && (name ?? dependency) === dependency)
}

/** Seconds until `/health` says so of the disk. */
async function untilDisk(service: Service, isSo: (status: string) => boolean): Promise<number> {
  const startedMs = performance.now()
  for (;;) {
    const { checks }: Json = await service.json('/health')
    const disk = checks.find(({ name }: Json) => name === 'disk')
    if (isSo(disk.status)) return (performance.now() - startedMs) / 1000
    assert.ok(performance.now() - startedMs < NOTICED_WITHIN_MS, JSON.stringify(disk))
    await sleep(250)
  }
}
