import { expect, test } from 'vitest'
import { silentLog } from '../../src/core/log.ts'
import { startWorld } from '../../src/testing/world.ts'

test('a service that is told to stop says so while it still serves', async () => {
  const lines: unknown[] = []
  const log = { ...silentLog, request: (line: unknown) => void lines.push(line) }
  await using world = await startWorld({ TOLLBOOK_DRAIN_MS: '1500' }, log)
  const statusOf = async (path: string) => (await world.get(path)).status
  expect([await statusOf('/livez'), await statusOf('/readyz')]).toEqual([200, 200])
  const { routes } = world.app.site.catalog
  expect(routes.filter(({ path }) => ['/livez', '/readyz', '/metrics'].includes(path))).toEqual([])

  const startedMs = performance.now()
  const announced = world.app.announceStop()
  const before = lines.length
  const said = await world.get('/readyz')
  expect([said.status, await said.json()]).toEqual([503, { status: 'not_ready', reasons: ['draining'] }])
  expect([await statusOf('/livez'), await statusOf('/price/BTC')]).toEqual([200, 200])
  expect(lines.length).toBe(before + 1)
  await announced
  expect(performance.now() - startedMs).toBeGreaterThan(1_490)
  expect(await statusOf('/pricing')).toBe(200)
})
