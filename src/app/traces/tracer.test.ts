import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Route } from '../../catalog/catalog.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'
import { inSpan } from './current.ts'
import { KIND, type Span } from './span.ts'
import { createTracer, MAX_SPANS_OF_TRACE } from './tracer.ts'

const START_MS = 1_770_000_000_000
const route = { path: '/price/{token}', endpoint: { id: 'market.price' } } as unknown as Route
const ENDED = { route, status: 200, via: 'free', code: undefined } as const
const about = { name: 'work', kind: KIND.client, attributes: {} }

function scene(isTraced = true) {
  const spans: Span[] = []
  let full = 0
  const traceRequest = createTracer({
    clock: createManualClock(START_MS),
    isTraced: () => isTraced,
    add: (span) => void spans.push(span),
    onFull: () => full++,
  })
  const begin = (headers: IncomingMessage['headers'] = {}) =>
    traceRequest({ headers } as IncomingMessage, 'GET')
  return { spans, begin, full: () => full }
}

test('what is done for a request is below it, through timers and awaits, and apart from others', async () => {
  const { spans, begin } = scene()
  const nested = (name: string) =>
    inSpan({ ...about, name: `outer ${name}` }, async () => {
      await wait(1)
      await inSpan({ ...about, name: `inner ${name}` }, () => wait(1))
    })
  const requests = ['a', 'b', 'c'].map(async (name) => {
    const trace = begin()
    await trace?.run(() => nested(name))
    trace?.end(ENDED)
    return { name, id: trace?.id }
  })
  for (const { name, id } of await Promise.all(requests)) {
    const own = spans.filter(({ traceId }) => traceId === id)
    const [inner, outer, root] = own
    expect(own.map((span) => span.name)).toEqual([`inner ${name}`, `outer ${name}`, 'GET /price/{token}'])
    expect([inner?.parentSpanId, outer?.parentSpanId]).toEqual([outer?.spanId, root?.spanId])
    expect(root?.parentSpanId).toBeUndefined()
    expect(own.every(({ startMs, endMs }) => startMs >= START_MS && endMs >= startMs)).toBe(true)
  }
})

test('what fails is marked with the kind of its failure, and fails as before', async () => {
  const { spans, begin } = scene()
  const trace = begin()
  const failed = new UpstreamError('down', 'GET /secret: answered 500')
  const work = () => inSpan(about, () => Promise.reject(failed))
  await expect(trace?.run(work)).rejects.toBe(failed)
  trace?.end({ ...ENDED, status: 503, code: 'upstream_unavailable' })
  expect(spans).toMatchObject([
    { isError: true, attributes: { 'error.type': 'down' } },
    {
      isError: true,
      attributes: { 'error.type': 'upstream_unavailable', 'tollbook.code': 'upstream_unavailable' },
    },
  ])
  expect(JSON.stringify(spans)).not.toContain('secret')
})

test('what begins after the end is in no trace; what began before is', async () => {
  const { spans, begin } = scene()
  const trace = begin()
  let late: Promise<unknown> | undefined
  const early = trace?.run(() => {
    late = wait(5).then(() => inSpan({ ...about, name: 'late' }, () => wait(1)))
    return inSpan({ ...about, name: 'early' }, () => wait(3))
  })
  trace?.end(ENDED)
  await Promise.all([early, late])
  expect(spans.map(({ name }) => name)).toEqual(['GET /price/{token}', 'early'])
})

test('one request has a bounded number of spans', async () => {
  const { spans, begin, full } = scene()
  const trace = begin()
  await trace?.run(async () => {
    for (let n = 0; n < MAX_SPANS_OF_TRACE + 10; n++) await inSpan(about, async () => {})
  })
  trace?.end(ENDED)
  expect([spans.length, full()]).toEqual([MAX_SPANS_OF_TRACE, 11])
})

test('one that is not chosen has no trace, and its work is done all the same', async () => {
  const { spans, begin } = scene(false)
  expect(begin({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` })).toBeUndefined()
  expect(await inSpan(about, async () => 7)).toBe(7)
  expect(spans).toEqual([])
})
