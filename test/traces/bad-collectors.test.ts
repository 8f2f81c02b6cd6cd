import { afterEach, expect, test, vi } from 'vitest'
import { type RequestFacts, silentLog } from '../../src/core/log.ts'
import { createClient } from '../../src/testing/client.ts'
import { createKeptLog } from '../../src/testing/kept-log.ts'
import { type Collector, startCollector } from '../../src/testing/traces/collector.ts'
import { startWorld } from '../../src/testing/world.ts'

const collectors: Collector[] = []
afterEach(async () => {
  for (const collector of collectors.splice(0)) await collector[Symbol.asyncDispose]()
})
async function open(): Promise<Collector> {
  const collector = await startCollector()
  collectors.push(collector)
  return collector
}

/** A stop has two seconds for traces; the rest is what a stop takes without them on a busy machine. */
const STOPS_WITHIN_MS = 15_000
const REQUESTS = 300

test('without an address nothing is traced, whatever callers send', async () => {
  const collector = await open()
  const lines: RequestFacts[] = []
  await using world = await startWorld(
    { OTEL_SERVICE_NAME: 'tollbook', OTEL_TRACES_SAMPLER_ARG: '1' },
    { ...silentLog, request: (facts) => void lines.push(facts) },
  )
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  await createClient(world)('/btc-resolve', { headers: { traceparent } })
  expect(lines.at(-1)).toMatchObject({ path: '/btc-resolve', status: 200, trace_id: undefined })
  expect(collector.requests).toEqual([])
})

test.each<[string, (collector: Collector) => string]>([
  ['is not there', () => 'http://127.0.0.1:1'],
  [
    'never answers',
    (collector) => {
      collector.answer(() => {})
      return collector.url
    },
  ],
  [
    'is overloaded',
    (collector) => {
      collector.answer((response) => response.writeHead(429, { 'retry-after': '3600' }).end())
      return collector.url
    },
  ],
  [
    'answers garbage',
    (collector) => {
      collector.answer((response) => response.socket?.end('\u0000\u0001 no HTTP at all'))
      return collector.url
    },
  ],
])('a collector that %s harms no request', async (_, spoil) => {
  const log = createKeptLog()
  const world = await startWorld({ OTEL_EXPORTER_OTLP_ENDPOINT: spoil(await open()) }, log)
  const unhandled = vi.fn()
  process.once('unhandledRejection', unhandled)
  try {
    const call = createClient(world)
    const statuses = new Set<number>()
    for (let n = 0; n < REQUESTS; n++) statuses.add((await call('/pricing')).status)
    expect([...statuses]).toEqual([200])
    // Not before the first batch has been tried.
    await vi.waitFor(() => expect(log.lines.map(({ text }) => text)).toContain('traces do not arrive'), {
      timeout: 20_000,
    })
    expect((await call('/btc-resolve')).status).toBe(200)
  } finally {
    const startedAt = performance.now()
    await world[Symbol.asyncDispose]()
    process.off('unhandledRejection', unhandled)
    expect(performance.now() - startedAt).toBeLessThan(STOPS_WITHIN_MS)
  }
  expect(unhandled).not.toHaveBeenCalled()
  expect(log.lines.filter(({ text }) => text === 'traces do not arrive')).toHaveLength(1)
})

test('a share of none sends none, and a stop sends what waits', async () => {
  const collector = await open()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const some = await startWorld({ ...env, OTEL_TRACES_SAMPLER_ARG: '0' })
  await createClient(some)('/pricing')
  await some[Symbol.asyncDispose]()
  expect(collector.requests).toEqual([])
  const all = await startWorld(env)
  await createClient(all)('/pricing')
  await all[Symbol.asyncDispose]()
  expect(collector.spans().filter(({ name }) => name === 'GET /pricing')).toHaveLength(1)
  expect(collector.faults).toEqual([])
})
