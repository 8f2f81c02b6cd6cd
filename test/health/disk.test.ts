import { describe, expect, test } from 'vitest'
import { diskDependency } from '../../src/app/health/disk.ts'
import { createKeptLog } from '../../src/testing/kept-log.ts'
import { startWorld } from '../../src/testing/world.ts'
import { mountSmallDisk, noSmallDisk } from './small-disk.ts'

/** Two probes and a little. */
const SOON = { timeout: 25_000, interval: 200 }

describe.skipIf(noSmallDisk)('a disk that takes no more', () => {
  test('a full one makes /health 503, with one line in the log, and one when there is space again', async () => {
    const disk = mountSmallDisk(64)
    const log = createKeptLog()
    await using world = await startWorld({ TOLLBOOK_DATA_DIR: disk.path }, log)
    const health = async () => {
      const reply = await world.get('/health')
      const { checks } = (await reply.json()) as { checks: { name: string; detail: string }[] }
      const disk = checks.find(({ name }) => name === 'disk')?.detail
      const ready = await world.get('/readyz')
      return { status: reply.status, disk, ready: ready.status }
    }
    expect(await health()).toEqual({ status: 200, disk: 'well', ready: 200 })
    disk.fill()
    await expect.poll(health, SOON).toEqual({ status: 503, disk: 'cannot be written (ENOSPC)', ready: 503 })
    disk.free()
    await expect.poll(health, SOON).toEqual({ status: 200, disk: 'well', ready: 200 })
    expect(log.about('disk').map(({ level, path, cause }) => [level, path, cause])).toEqual([
      ['warn', disk.path, expect.stringContaining('ENOSPC')],
      ['info', disk.path, expect.stringContaining('ENOSPC')],
    ])
  })

  test('a read-only one is told from a full one', async () => {
    const disk = mountSmallDisk(1)
    const { probe } = diskDependency(disk.path)
    await probe()
    expect(disk.makeReadOnly()).toBe(true)
    await expect(probe()).rejects.toMatchObject({ code: 'EROFS' })
  })
})
