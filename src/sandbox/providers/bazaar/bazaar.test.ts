import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { areRecordedMissing, recordedText } from '../../../testing/upstreams/recorded.ts'
import { type Internet, startInternet } from '../../internet.ts'
import { createSimulatedMarket } from '../../market/simulated-market.ts'

const START_MS = Date.UTC(2026, 4, 6, 1)
let internet: Internet
beforeAll(async () => {
  const market = createSimulatedMarket({ seed: 'bazaar', startMs: START_MS })
  internet = await startInternet({ market, clock: createManualClock(START_MS) })
})
afterAll(() => internet.close())

type Row = Record<string, unknown> & { x402Version: number; accepts: Record<string, unknown>[] }
const get = (path: string) => fetch(`${internet.urls.BAZAAR}/discovery${path}`)
const page = async (path: string) =>
  (await (await get(path)).json()) as { items: Row[]; pagination: Record<string, number> }

describe('the simulated bazaar', () => {
  it('gives pages of at most a hundred', async () => {
    const { items, pagination } = await page('/resources?limit=1000&offset=10')
    expect(items).toHaveLength(100)
    expect(pagination).toMatchObject({ limit: 100, offset: 10 })
    const total = pagination.total ?? 0
    expect((await page(`/resources?offset=${total - 3}`)).items).toHaveLength(3)
    expect((await page(`/resources?offset=${total}`)).items).toEqual([])
    expect((await page('/resources')).items).toHaveLength(20)
  })

  it.each(['/resources?limit=x', '/resources?limit=0', '/resources?offset=-1', '/search', '/search?query='])(
    'refuses %s',
    async (path) => {
      const reply = await get(path)
      expect([reply.status, await reply.json()]).toMatchObject([400, { errorType: 'invalid_request' }])
    },
  )

  it('finds words', async () => {
    const { resources } = (await (await get('/search?query=weather')).json()) as { resources: Row[] }
    expect(resources.length).toBeGreaterThan(2)
  })

  it.skipIf(areRecordedMissing())('writes both versions as the real one does', async () => {
    const real = JSON.parse(recordedText('from-docs/x402_discovery_resources.json')) as { items: Row[] }
    const ours = await page('/resources?limit=100')
    // Names and tags are later than the example, and not every row has figures of its use.
    const keysOf = (row: Row | undefined) =>
      Object.keys(row ?? {})
        .filter((key) => !['serviceName', 'tags', 'quality'].includes(key))
        .sort()
    for (const theirs of real.items) {
      const same = ours.items.find(({ x402Version }) => x402Version === theirs.x402Version)
      expect(keysOf(same)).toEqual(keysOf(theirs))
      expect(Object.keys(same?.accepts[0] ?? {}).sort()).toEqual(Object.keys(theirs.accepts[0] ?? {}).sort())
    }
    const quality = ours.items.find((row) => row.quality)?.quality
    expect(Object.keys(quality ?? {})).toEqual(Object.keys(real.items[0]?.quality ?? {}))
  })
})

describe('the simulated ecosystem list', () => {
  const list = () => fetch(`${internet.urls.ECOSYSTEM}/repos/x402-foundation/x402/git/trees/main?recursive=1`)

  it('lists files that can be read as text', async () => {
    const { tree } = (await (await list()).json()) as { tree: { path: string; type: string }[] }
    const file = tree.find(({ path }) => path.endsWith('metadata.json'))
    const reply = await fetch(`${internet.urls.ECOSYSTEM_RAW}/x402-foundation/x402/main/${file?.path}`)
    expect(reply.headers.get('content-type')).toContain('text/plain')
    expect(JSON.parse(await reply.text())).toMatchObject({ websiteUrl: expect.any(String) })
  })

  it('answers for other addresses as GitHub does', async () => {
    const { ECOSYSTEM, ECOSYSTEM_RAW } = internet.urls
    const former = `${ECOSYSTEM}/repos/coinbase/x402/git/trees/main`
    expect((await fetch(former, { redirect: 'manual' })).status).toBe(301)
    expect((await fetch(`${ECOSYSTEM}/repos/nobody/nothing/git/trees/main`)).status).toBe(404)
    expect((await fetch(`${ECOSYSTEM_RAW}/x402-foundation/x402/main/nothing.json`)).status).toBe(404)
  })
})
