import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { ProductOf } from '../src/catalog/endpoints/endpoint.ts'
import { createManualClock } from '../src/core/time/manual-clock.ts'
import { createMarket } from '../src/market/market.ts'
import { serviceGroup } from '../src/products/service/group.ts'
import type { ServiceServices } from '../src/products/service/services.ts'
import { rendered } from '../src/testing/discovery/sample-site.ts'
import { serveGroup } from '../src/testing/http/serve-groups.ts'

const GROUP_FOLDER = new URL('../src/products/service/', import.meta.url)

/** The endpoint that CONTRIBUTING.md shows, as if its file stood in the folder of its group. */
async function followRecipe(): Promise<ProductOf<ServiceServices>> {
  const guide = readFileSync(new URL('../CONTRIBUTING.md', import.meta.url), 'utf8')
  const [, shown = ''] = /```ts\n([\s\S]*?)```/.exec(guide) ?? []
  const code = shown
    .replaceAll(/from '(\.[^']*)'/g, (_, path: string) => `from '${new URL(path, GROUP_FOLDER).href}'`)
    .replace("from 'zod'", `from '${import.meta.resolve('zod')}'`)
  const folder = mkdtempSync(join(tmpdir(), 'tollbook-recipe-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'uptime.ts')
  writeFileSync(file, code)
  const { uptime } = await import(pathToFileURL(file).href)
  return uptime
}

test('an endpoint made by the recipe is served and described, by its file and its group alone', async () => {
  const uptime = await followRecipe()
  const clock = createManualClock(1_000_000)
  const services: ServiceServices = {
    clock,
    market: createMarket({ clock }),
    health: async () => ({ state: 'ok', checks: [] }),
    uptime: () => ({ fromDay: 0, toDay: 0, measuredMs: undefined, parts: [], incidents: [] }),
    about: { mode: 'sandbox', version: '2.0.0', startedAtMs: 910_500 },
    wallets: undefined,
    signPlayPayment: undefined,
  }
  const served = await serveGroup(
    { ...serviceGroup, endpoints: [...serviceGroup.endpoints, uptime] },
    services,
    { clock },
  )
  onTestFinished(served.close)

  const reply = await served.ask('GET', '/uptime?round_to=60')
  expect([reply.status, JSON.parse(reply.body)]).toEqual([
    200,
    { seconds: 60, timestamp: '1970-01-01T00:16:40.000Z' },
  ])
  expect((await served.ask('GET', '/uptime?round_to=3601')).status).toBe(422)
  const { paths } = JSON.parse(rendered(served.site, 'document.openapi'))
  expect(paths['/uptime'].get).toMatchObject({ operationId: 'service_uptime', tags: ['service'] })
  expect(rendered(served.site, 'document.llms')).toContain('/uptime')
  expect(rendered(served.site, 'document.directory')).toContain('/uptime')
})
