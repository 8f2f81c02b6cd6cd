import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { createManualClock, type ManualClock } from '../../core/time/manual-clock.ts'
import { HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import { looksLikeInstructions } from '../../intel/hostile-text.ts'
import { discover } from '../../products/directory/discover.ts'
import { BAD_URLS } from '../../sandbox/directory/hostile-services.ts'
import { type Internet, startInternet } from '../../sandbox/internet.ts'
import { createSimulatedMarket } from '../../sandbox/market/simulated-market.ts'
import { createHosts, type Hosts } from '../upstream-hosts.ts'
import { type OpenDirectory, openDirectory } from './directory.ts'

const START_MS = Date.UTC(2026, 4, 6, 1)
let clock: ManualClock
let internet: Internet
let hosts: Hosts
let open: OpenDirectory

beforeAll(async () => {
  clock = createManualClock(START_MS)
  const market = createSimulatedMarket({ seed: 'directory', startMs: START_MS })
  internet = await startInternet({ market, clock })
  hosts = createHosts({ clock, log: silentLog, random: () => 0.5 })
  open = openDirectory({ hosts, upstreams: internet.urls, clock, random: () => 0.5 })
  await open.start()
})
afterAll(async () => {
  open.stop()
  hosts.close()
  await internet.close()
})

type Reply = { results: Result[]; lists: Record<string, unknown> } & Record<string, unknown>
type Result = Record<string, unknown> & {
  name: string
  url: string
  description: string | null
  score: number
}

const ask = (params: Record<string, unknown>): Reply => {
  const services = { directory: open.directory, sourceOf: (source: string) => `sandbox:${source}` }
  const reply = discover.handle(services, discover.params.parse(params))
  return discover.response.parse(reply) as Reply
}

describe('discover in the sandbox', () => {
  it('finds what is looked for, with the state of both lists', () => {
    const reply = ask({ q: 'weather forecast', limit: 5 })
    expect(reply).toMatchObject({
      timestamp: new Date(START_MS).toISOString(),
      source: 'sandbox:cdp_bazaar+x402_ecosystem',
      count: 5,
      unknown_words: [],
      lists: {
        bazaar: { status: 'fresh', source: 'sandbox:cdp_bazaar', left_out: BAD_URLS.length },
        ecosystem: { status: 'fresh', listings: 43, left_out: 0, withheld: 3 },
      },
    })
    for (const { name, description } of reply.results) expect(`${name} ${description}`).toMatch(/weather/i)
  })

  it.each(['facilitators', 'infrastructure-tooling', 'client-integrations', 'services-endpoints'])(
    'lists %s',
    (category) => {
      const { results } = ask({ category, limit: 20 })
      expect(results.length).toBeGreaterThan(5)
      expect(new Set(results.map((result) => result.category))).toEqual(new Set([category]))
    },
  )

  it('shows the most used where nothing is looked for', () => {
    const { results } = ask({})
    const payers = results.map(({ quality }) => (quality as { payers_30d: number }).payers_30d)
    expect(results).toHaveLength(10)
    expect(Math.min(...payers)).toBeGreaterThan(100)
    expect(results.map(({ score }) => score)).toEqual(results.map(({ score }) => score).sort((a, b) => b - a))
  })

  it('lists hostile entries without a word of theirs', () => {
    const words = ['weather', 'price', 'news', 'wallet', 'ignore', 'instructions', 'alert', 'hostile', '']
    const seen = words.flatMap((q) => ask({ q, limit: 20 }).results)
    expect(seen.length).toBeGreaterThan(60)
    for (const { name, description, url, tags } of seen) {
      const text = [name, description ?? '', ...(tags as string[])].join(' ')
      expect(looksLikeInstructions(text)).toBe(false)
      expect(text).not.toMatch(/[\p{Cf}\p{Cc}<>]/u)
      expect(name.length).toBeLessThanOrEqual(80)
      expect((description ?? '').length).toBeLessThanOrEqual(400)
      expect(url).toMatch(/^https:\/\/[a-z0-9.]+\.example\//)
    }
    expect(seen.some(({ description_withheld }) => description_withheld)).toBe(true)
  })

  it.each(['weather', 'news', 'weather forecast', 'token price', 'price', 'map flight'])(
    'shows nobody first for stuffing: %s',
    (q) => {
      const [first] = ask({ q }).results
      expect(first?.url).not.toContain('hostile')
    },
  )

  it('says why there is nothing', () => {
    expect(ask({ q: 'qwertzuiop' })).toMatchObject({ count: 0, matching: 0, unknown_words: ['qwertzuiop'] })
  })
})

describe('discover while a list is away', () => {
  it('goes on with what it has, and stops after a day', async () => {
    internet.outages.set('ecosystem', 'rest', { kind: 'error' })
    for (let round = 0; round < 4; round++) {
      const before = open.directory.version()
      clock.advance(30 * MINUTE_MS)
      while (open.directory.version() === before) await new Promise((resolve) => setImmediate(resolve))
    }
    expect(ask({ category: 'facilitators' })).toMatchObject({
      timestamp: new Date(START_MS).toISOString(),
      count: 8,
      lists: { bazaar: { status: 'fresh' }, ecosystem: { status: 'aged' } },
    })
    open.stop()
    clock.advance(22 * HOUR_MS + 1)
    expect(ask({ category: 'facilitators' })).toMatchObject({
      count: 0,
      source: 'sandbox:cdp_bazaar',
      lists: { ecosystem: { status: 'missing', timestamp: null, listings: null } },
    })
    clock.advance(2 * HOUR_MS)
    expect(() => ask({})).toThrow('no list of services: too old')
  })
})
