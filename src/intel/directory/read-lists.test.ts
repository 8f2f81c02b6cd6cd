import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { createScriptedUpstream } from '../../testing/upstreams/scripted-upstream.ts'
import { createBazaar } from '../../upstreams/bazaar/client.ts'
import { createEcosystem } from '../../upstreams/ecosystem/client.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'
import { createBazaarReader } from './read-bazaar.ts'
import { createEcosystemReader } from './read-ecosystem.ts'

const clock = createManualClock(Date.UTC(2026, 9, 1))
const ports = { clock, signal: new AbortController().signal }
const row = (n: number) => ({ resource: `https://n${n}.example/x`, accepts: [] })
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => row(from + n))

/** A bazaar with so many rows, which gives at most `size` of them. */
function listOf(state: { count: number; size?: number; total?: number }) {
  const upstream = createScriptedUpstream(({ query }) => {
    const offset = Number(query?.offset)
    const to = Math.min(state.count, offset + Math.min(Number(query?.limit), state.size ?? 100))
    return { items: rows(offset, to), pagination: { total: state.total ?? state.count } }
  })
  return { upstream, read: createBazaarReader({ ...ports, bazaar: createBazaar(upstream) }) }
}

describe('the whole bazaar', () => {
  it.each([
    [250, 100, 3],
    [200, 100, 2],
    [45, 20, 3],
    [1, 100, 1],
  ])('of %i rows in pages of %i', async (count, size, requests) => {
    const { upstream, read } = listOf({ count, size })
    expect((await read()).listings).toHaveLength(count)
    expect(upstream.asked).toHaveLength(requests)
  })

  it('lets others work between two rows', async () => {
    const { read } = listOf({ count: 100 })
    let [turns, isDone] = [0, false]
    const reading = read().then(() => {
      isDone = true
    })
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve))
      turns++
    }
    await reading
    expect(turns).toBeGreaterThanOrEqual(100)
  })

  it('is refused where it ends too early, or is empty', async () => {
    await expect(listOf({ count: 100, total: 1_000 }).read()).rejects.toThrow('100 rows only')
    await expect(listOf({ count: 0 }).read()).rejects.toThrow('0 rows only')
  })

  it('that shrank to less than half is believed at the fourth time', async () => {
    const state = { count: 500 }
    const { read } = listOf(state)
    await read()
    state.count = 200
    for (let time = 0; time < 3; time++) await expect(read()).rejects.toThrow('200 rows only')
    expect((await read()).listings).toHaveLength(200)
  })

  it('counts what it leaves out, and lists an address once', async () => {
    const items = [row(1), row(1), row(2), { resource: 5 }, { resource: 'http://127.0.0.1/x', accepts: [] }]
    const upstream = createScriptedUpstream(() => ({ items, pagination: { total: 5 } }))
    const { listings, leftOut } = await createBazaarReader({ ...ports, bazaar: createBazaar(upstream) })()
    expect([listings.length, leftOut]).toEqual([2, 2])
  })

  it('waits where our own limits refuse a page, and gives up in time', async () => {
    let isFull = true
    const page = async () => {
      if (isFull) throw new UpstreamError('busy', 'no room')
      return { resources: [], rows: 0, skipped: { count: 0, reasons: [] }, total: 0 }
    }
    const given = createBazaarReader({ ...ports, bazaar: { page } })().catch((error: Error) => error.message)
    for (let minute = 0; minute < 16 * 12; minute++) {
      await new Promise((resolve) => setImmediate(resolve))
      clock.advance(MINUTE_MS / 12)
    }
    expect(await given).toBe('no room')
    const second = createBazaarReader({ ...ports, bazaar: { page } })().catch((error: Error) => error.message)
    await new Promise((resolve) => setImmediate(resolve))
    isFull = false
    clock.advance(MINUTE_MS)
    expect(await second).toBe('the bazaar listed 0 rows only')
  })
})

const FOLDER = 'typescript/site/app/ecosystem/partners-data'
const sha = (digit: string) => digit.repeat(40)
const blob = (name: string, digit: string, size = 300) => ({
  ...{ path: `${FOLDER}/${name}/metadata.json`, type: 'blob', sha: sha(digit), size },
})
const partner = (name: string) => ({ name, category: 'Facilitators', websiteUrl: `https://${name}.example` })

describe('the ecosystem list', () => {
  const world = () => {
    const state = {
      tree: [blob('a', '1'), blob('b', '2'), blob('c', '3')],
      broken: '',
      repository: 'x402-foundation/x402',
    }
    const api = createScriptedUpstream(({ path }) =>
      path === `/repos/${state.repository}/git/trees/main` ? { tree: state.tree } : undefined,
    )
    const raw = createScriptedUpstream(({ path }) => {
      const name = path.split('/').at(-2) ?? ''
      if (name === state.broken) throw new UpstreamError('down', 'no answer')
      return name.startsWith('missing') ? undefined : name.startsWith('odd') ? { name: 5 } : partner(name)
    })
    const read = createEcosystemReader({ ...ports, ecosystem: createEcosystem(api, raw) })
    const names = async () => (await read()).listings.map(({ name }) => name).sort()
    return { state, api, raw, read, names }
  }

  it('reads a file again only when it changed', async () => {
    const { state, raw, names } = world()
    expect(await names()).toEqual(['a', 'b', 'c'])
    expect(raw.asked.map(({ path }) => path)[0]).toBe(`/x402-foundation/x402/main/${FOLDER}/a/metadata.json`)
    state.tree = [blob('a', '1'), blob('b', '9'), blob('d', '4')]
    expect(await names()).toEqual(['a', 'b', 'd'])
    expect(raw.asked).toHaveLength(5)
    await names()
    expect(raw.asked).toHaveLength(5)
  })

  it('goes on where it stopped when a file could not be read', async () => {
    const { state, raw, names } = world()
    state.broken = 'b'
    await expect(names()).rejects.toThrow('no answer')
    state.broken = ''
    expect(await names()).toEqual(['a', 'b', 'c'])
    expect(raw.asked).toHaveLength(4)
  })

  it('leaves out what cannot be read, and does not ask for it again', async () => {
    const { state, raw, read } = world()
    state.tree.push(blob('missing', '5'), blob('odd', '6'), blob('large', '7', 1e6), blob('../up', '8'))
    expect(await read()).toMatchObject({ leftOut: 2, listings: { length: 3 } })
    await read()
    expect(raw.asked).toHaveLength(5)
    state.tree = ['1', '2', '3'].map((digit) => blob(`odd${digit}`, digit))
    await expect(read()).rejects.toThrow('only 0 of 3')
  })

  it('finds the repository where it was before', async () => {
    const { state, raw, names } = world()
    state.repository = 'coinbase/x402'
    expect(await names()).toHaveLength(3)
    expect(raw.asked[0]?.path).toContain('/coinbase/x402/main/')
    state.repository = 'nowhere'
    await expect(names()).rejects.toThrow('404')
  })
})
