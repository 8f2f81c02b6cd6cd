import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type RequestFacts, silentLog } from '../../src/core/log.ts'
import { resourceUrl } from '../../src/discovery/sample-call.ts'
import { choosePort } from '../../src/http/listen.ts'
import { type Buyer, createBuyer } from '../../src/testing/buyer.ts'
import { createClient } from '../../src/testing/client.ts'
import { type CollectedSpan, type Collector, startCollector } from '../../src/testing/traces/collector.ts'
import { startWorld, type World } from '../../src/testing/world.ts'
import { parseScrape, sumOf } from '../metrics/scraped.ts'

const CANARY = 'canary-abcdefghijklmnopqrstuvwxyz'
const OPERATOR_KEY = `operator-${CANARY}`
const PARENT = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }

let collector: Collector
let world: World
let metricsUrl: string
const lines: RequestFacts[] = []
beforeAll(async () => {
  collector = await startCollector()
  const port = await choosePort('127.0.0.1', 0)
  metricsUrl = `http://127.0.0.1:${port}/metrics`
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `x-tenant=${CANARY}`,
    TOLLBOOK_OPERATOR_KEY: OPERATOR_KEY,
    TOLLBOOK_METRICS_PORT: String(port),
  }
  world = await startWorld(env, { ...silentLog, request: (facts) => void lines.push(facts) })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await collector[Symbol.asyncDispose]()
})

/** The trace of the last request that the log has with these facts, once all of it has arrived. */
async function traceOf(isIt: (facts: RequestFacts) => boolean): Promise<CollectedSpan[]> {
  const id = lines.findLast(isIt)?.trace_id
  expect(id).toBeDefined()
  const own = () => collector.spans().filter(({ traceId }) => traceId === id)
  await vi.waitFor(() => expect(own().some(({ kind }) => kind === 2)).toBe(true), { timeout: 20_000 })
  return own()
}
const rootOf = (spans: readonly CollectedSpan[]) => spans.find(({ kind }) => kind === 2) as CollectedSpan
const attributesOf = ({ attributes }: CollectedSpan) => Object.fromEntries(attributes)

/** Prices of the sandbox grow old where the machine has no time for it: such a call costs nothing and is made again. */
async function buy(buyer: Buyer, path: string): Promise<void> {
  for (let tries = 0; tries < 10; tries++) {
    await world.untilFresh()
    const { status } = await buyer.fetch(`${world.url}${path}`)
    if (status === 200) return
    expect(status).toBe(503)
  }
  throw new Error(`${path} was not sold`)
}

test.each(['base', 'solana'] as const)('a paid call on %s is one tree', async (network) => {
  const buyer = await createBuyer(world, network)
  await buy(buyer, '/price/BTC?demo=0')
  const spans = await traceOf(({ via }) => via === 'paid')
  const root = rootOf(spans)
  expect(root).toMatchObject({ name: 'GET /price/{token}', kind: 2, status: {}, flags: 0x101 })
  expect(attributesOf(root)).toEqual({
    'http.request.method': 'GET',
    'http.route': '/price/{token}',
    'http.response.status_code': '200',
    'tollbook.endpoint': 'market.price',
    'tollbook.via': 'paid',
  })
  const ids = new Set(spans.map(({ spanId }) => spanId))
  expect(ids.size).toBe(spans.length)
  expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined)).toEqual([root])
  expect(spans.filter(({ parentSpanId }) => parentSpanId && !ids.has(parentSpanId))).toEqual([])
  const names = spans.map(({ name }) => name)
  for (const name of [
    'facilitator verify',
    'facilitator settle',
    'ledger payments.enter',
    'ledger payments.settle',
  ])
    expect(names).toContain(name)
  const chain = spans.filter(({ name }) => name.startsWith('chain '))
  expect(chain.map((span) => attributesOf(span)['tollbook.chain'])).toContain(network)
  for (const { startTimeUnixNano } of spans) {
    expect(BigInt(startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(root.startTimeUnixNano))
    expect(BigInt(startTimeUnixNano)).toBeLessThanOrEqual(BigInt(root.endTimeUnixNano))
  }
  const settled = spans.find(({ name }) => name === 'facilitator settle') as CollectedSpan
  expect(attributesOf(settled)).toMatchObject({ 'tollbook.answer': 'accepted' })
  expect(collector.faults).toEqual([])
})

test('a product that asks providers shows whom it waited for', async () => {
  const route = world.app.site.catalog.routes.find(({ path }) => path === '/token/{addr}/score')
  if (!route) throw new Error('no such route')
  const url = new URL(resourceUrl(world.app.site, route))
  const { status } = await createClient(world)(url.pathname)
  expect(status).toBe(200)
  const spans = await traceOf(({ product, via }) => product === route.endpoint.id && via === 'demo')
  const asked = spans.filter(({ name }) => name.startsWith('upstream '))
  expect(asked.length).toBeGreaterThan(0)
  expect(new Set(asked.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([rootOf(spans).spanId]))
  expect(spans.map(({ name }) => name)).toContain('ledger demo.take')
  const address = url.pathname.split('/')[2] ?? ''
  expect(JSON.stringify(collector.requests.map(({ text }) => text)).toLowerCase()).not.toContain(
    address.toLowerCase(),
  )
})

test('a caller with a trace gets its request into it; one that is not sampled stays out', async () => {
  const call = createClient(world)
  const sent = `00-${PARENT.traceId}-${PARENT.spanId}`
  await call('/btc-resolve', { headers: { traceparent: `${sent}-01` } })
  const root = rootOf(await traceOf(({ trace_id }) => trace_id === PARENT.traceId))
  expect(root).toMatchObject({ parentSpanId: PARENT.spanId, flags: 0x301, traceId: PARENT.traceId })
  const before = lines.length
  await call('/btc-resolve', { headers: { traceparent: `${sent}-00` } })
  await call('/btc-resolve', { headers: { traceparent: `00-${CANARY}` } })
  const [unsampled, hostile] = lines.slice(before)
  expect(unsampled?.trace_id).toBeUndefined()
  expect(hostile?.trace_id).toMatch(/^[0-9a-f]{32}$/)
})

test('what fails says so, and what is no endpoint has no name of its own', async () => {
  const call = createClient(world)
  await call(`/nowhere/${CANARY}`)
  const missing = rootOf(await traceOf(({ status }) => status === 404))
  expect([missing.name, missing.status, attributesOf(missing)]).toEqual([
    'GET',
    {},
    { 'http.request.method': 'GET', 'http.response.status_code': '404', 'tollbook.code': 'not_found' },
  ])
  await call('/price/BTC', { method: 'PROPFIND' })
  const odd = rootOf(await traceOf(({ method }) => method === 'PROPFIND'))
  expect([odd.name, attributesOf(odd)['http.request.method']]).toEqual(['HTTP /price/{token}', '_OTHER'])
})

test('no span holds who paid, what was sent, or a secret', async () => {
  const buyer = await createBuyer(world)
  await buy(buyer, '/price/BTC?demo=0')
  await world.get(`/price/BTC?note=${CANARY}`)
  const secrets = {
    'x-request-id': CANARY,
    'user-agent': CANARY,
    cookie: CANARY,
    tracestate: `a=${CANARY}`,
    baggage: `a=${CANARY}`,
    'x-forwarded-for': CANARY,
  }
  const call = createClient(world)
  await call(`/price/${CANARY}`, { headers: secrets })
  await call('/admin/usage', { headers: { ...secrets, authorization: `Bearer ${OPERATOR_KEY}` } })
  await call('/price/ETH', {
    headers: { ...secrets, 'payment-signature': Buffer.from(CANARY).toString('base64') },
  })
  await traceOf(({ via }) => via === 'refused')
  const reply = await world.get('/price/BTC', { 'payment-signature': buyer.sent.at(-1) ?? '' })
  const settled = JSON.parse(Buffer.from(reply.headers.get('payment-response') ?? '', 'base64').toString())
  await traceOf(({ via }) => via === 'replay')
  const told = collector.requests.map(({ text }) => text.toLowerCase()).join('\n')
  expect(told.length).toBeGreaterThan(10_000)
  for (const secret of [
    CANARY,
    buyer.address,
    settled.transaction,
    buyer.sent.at(-1)?.slice(0, 40) ?? 'none',
  ])
    expect(told).not.toContain(secret.toLowerCase())
  // The collector itself is told its header.
  expect(collector.requests[0]?.headers['x-tenant']).toBe(CANARY)
})

test('the metrics count what was sent', async () => {
  await vi.waitFor(async () => {
    const scraped = parseScrape(await (await fetch(metricsUrl)).text())
    expect(sumOf(scraped, 'tollbook_spans_total', { outcome: 'sent' })).toBe(collector.spans().length)
    expect(sumOf(scraped, 'tollbook_spans_total')).toBe(collector.spans().length)
  })
  expect(collector.faults).toEqual([])
})
