import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, isFree } from '../ports.ts'
import { endOf, startService } from '../service.ts'
import type { Step } from '../step.ts'

const FREE_WITHIN_MS = 10_000

export const runningSteps: Step[] = [
  ...(['SIGTERM', 'SIGINT'] as const).map(
    (signal): Step => ({
      item: 5,
      says: `${signal} to npm start alone frees port and data directory`,
      async walk({ clone }) {
        const dataDir = clone.folder('signal')
        const service = await startService(clone, { viaNpm: true, env: { TOLLBOOK_DATA_DIR: dataDir } })
        const sentMs = performance.now()
        service.process.kill(signal)
        await endOf(service.process, FREE_WITHIN_MS)
        const port = Number(new URL(service.url).port)
        while (!(await isFree(port))) {
          assert.ok(performance.now() - sentMs < FREE_WITHIN_MS, `port ${port} is still held`)
          await sleep(50)
        }
        const seconds = (performance.now() - sentMs) / 1000
        // The lock is free where a second start gets it.
        await (await startService(clone, { env: { TOLLBOOK_DATA_DIR: dataDir } })).stop()
        return `free after ${seconds.toFixed(1)} s`
      },
    }),
  ),
  {
    item: 5,
    says: '.env is read by the service and by buy',
    async walk({ clone }) {
      const port = await freePort()
      writeFileSync(join(clone.dir, '.env'), `PORT=${port}\nTOLLBOOK_DATA_DIR=${clone.folder('env')}\n`)
      try {
        const { PORT: _, ...env } = clone.env() as Record<string, string>
        const service = await startService({ ...clone, env: () => env }, { viaNpm: true })
        try {
          assert.equal(new URL(service.url).port, String(port))
          const { code, out, err } = await clone.tollbook(['buy', '/signals'])
          assert.equal(code, 0, err)
          assert.match(out, /^settled/m)
          return `PORT=${port} counted for both`
        } finally {
          await service.stop()
        }
      } finally {
        await clone.run('rm', ['-f', '.env'])
      }
    },
  },
]
