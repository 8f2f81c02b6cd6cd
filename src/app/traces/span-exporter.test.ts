import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createKeptLog } from '../../testing/kept-log.ts'
import { type Collector, startCollector } from '../../testing/traces/collector.ts'
import { createCollectorTrouble } from './collector-trouble.ts'
import { createSendSpans } from './send-spans.ts'
import { KIND, newSpanId, newTraceId, type Span } from './span.ts'
import {
  BATCH_SPANS,
  createSpanExporter,
  MAX_QUEUED,
  MAX_TRIES,
  SEND_AFTER_MS,
  SEND_WITHIN_MS,
  STOP_WITHIN_MS,
} from './span-exporter.ts'

const START_MS = 1_770_000_000_000
const collectors: Collector[] = []
afterEach(async () => {
  for (const collector of collectors.splice(0)) await collector[Symbol.asyncDispose]()
})

async function start(url?: string) {
  const collector = await startCollector()
  collectors.push(collector)
  const clock = createManualClock(START_MS)
  const log = createKeptLog()
  const counted: Record<string, number> = {}
  const send = createSendSpans({
    url: url ?? `${collector.url}/v1/traces`,
    headers: [['x-key', 'a key']],
    nowMs: clock.now,
  })
  let begun = 0
  const exporter = createSpanExporter({
    clock,
    random: () => 1,
    resource: { 'service.name': 'shop', 'service.version': '1', 'service.instance.id': 'abc' },
    send: (...given) => {
      begun++
      return send(...given)
    },
    trouble: createCollectorTrouble(clock, log),
    count: (outcome, spans) => {
      counted[outcome] = (counted[outcome] ?? 0) + spans
    },
  })
  const add = (count: number) => {
    for (let n = 0; n < count; n++) exporter.add(span(`number ${n}`))
  }
  const asked = (count: number) => vi.waitFor(() => expect(collector.requests).toHaveLength(count))
  const until = (expected: Record<string, number>) => vi.waitFor(() => expect(counted).toEqual(expected))
  return { collector, clock, log, counted, exporter, add, asked, until, begun: () => begun }
}

const span = (name: string): Span => ({
  ...{ traceId: newTraceId(), spanId: newSpanId(), parentSpanId: undefined, isParentRemote: false },
  ...{ name, kind: KIND.client, startMs: START_MS + 0.25, endMs: START_MS + 1.5, isError: true },
  attributes: { 'a.text': 'x', 'a.number': 7, nothing: undefined },
})

/** Lets what has been answered be heard, moves time, and lets what that begins be sent. */
async function pass(clock: { advance(ms: number): void }, ms: number) {
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  clock.advance(ms)
}

test('spans go out together after a while, as OTLP writes them', async () => {
  const { collector, clock, add, until } = await start()
  add(3)
  clock.advance(SEND_AFTER_MS - 1)
  expect(collector.requests).toEqual([])
  clock.advance(1)
  await until({ sent: 3 })
  expect([collector.faults, collector.requests.length]).toEqual([[], 1])
  const [request] = collector.requests
  expect(request).toMatchObject({ path: '/v1/traces', headers: { 'x-key': 'a key' } })
  expect(Object.fromEntries(request?.resource ?? [])).toEqual({
    'service.name': 'shop',
    'service.version': '1',
    'service.instance.id': 'abc',
  })
  const [first] = collector.spans()
  expect(first).toMatchObject({
    ...{ name: 'number 0', kind: 3, status: { code: 2 }, flags: 0x101 },
    startTimeUnixNano: `${START_MS}250000`,
    endTimeUnixNano: `${START_MS + 1}500000`,
  })
  expect(Object.fromEntries(first?.attributes ?? [])).toEqual({ 'a.text': 'x', 'a.number': '7' })
})

test('a full batch does not wait, and is not made in the turn of the request that filled it', async () => {
  const { collector, clock, add, until, begun } = await start()
  add(BATCH_SPANS)
  expect(begun()).toBe(0)
  clock.advance(0)
  await until({ sent: BATCH_SPANS })
  add(2 * BATCH_SPANS + 1)
  clock.advance(0)
  await until({ sent: 3 * BATCH_SPANS })
  await pass(clock, SEND_AFTER_MS)
  await until({ sent: 3 * BATCH_SPANS + 1 })
  expect(collector.faults).toEqual([])
})

test('a collector that is away gets them later; the log says so once, and once that it is over', async () => {
  const { collector, clock, log, add, asked, until } = await start()
  collector.answer((response) => response.writeHead(503).end('later'))
  add(1)
  clock.advance(SEND_AFTER_MS)
  await asked(1)
  await pass(clock, 999)
  expect(collector.requests).toHaveLength(1)
  await pass(clock, 1)
  await asked(2)
  collector.answer((response) => response.end('{}'))
  await pass(clock, 2_000)
  await until({ sent: 1 })
  expect(log.lines.map(({ level, text }) => [level, text])).toEqual([
    ['warn', 'traces do not arrive'],
    ['info', 'traces arrive again'],
  ])
  expect(log.lines[0]?.cause).toMatch(/^127\.0\.0\.1:\d+: answered 503$/)
})

test('Retry-After is waited for, and a stop does not disregard it', async () => {
  const { collector, clock, add, asked, until, exporter } = await start()
  collector.answer((response) => response.writeHead(429, { 'retry-after': '40' }).end())
  add(1)
  clock.advance(SEND_AFTER_MS)
  await asked(1)
  await pass(clock, 39_999)
  await pass(clock, 0)
  expect(collector.requests).toHaveLength(1)
  await pass(clock, 1)
  await asked(2)
  await pass(clock, 0)
  await exporter.stop()
  await until({ undelivered: 1 })
  expect(collector.requests).toHaveLength(2)
})

test('after some tries a batch is given up', async () => {
  const { collector, clock, add, asked, until } = await start()
  collector.answer((response) => response.socket?.destroy())
  add(1)
  clock.advance(SEND_AFTER_MS)
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    await asked(tries)
    await pass(clock, 30_000)
  }
  await until({ undelivered: 1 })
  expect(collector.requests).toHaveLength(MAX_TRIES)
})

test.each([400, 401, 404, 413, 500, 301])('a %d is final', async (status) => {
  const { collector, clock, add, until } = await start()
  collector.answer((response) => response.writeHead(status, { location: '/elsewhere' }).end())
  add(2)
  clock.advance(SEND_AFTER_MS)
  await until({ refused: 2 })
  await pass(clock, 100_000)
  expect(collector.requests).toHaveLength(1)
})

test.each<[string, string, Record<string, number>]>([
  [
    'some rejected',
    '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}',
    { sent: 3, rejected: 2 },
  ],
  ['a number', '{"partialSuccess":{"rejectedSpans":1}}', { sent: 4, rejected: 1 }],
  ['all and more', '{"partialSuccess":{"rejectedSpans":"99"}}', { rejected: 5 }],
  ['only advice', '{"partialSuccess":{"errorMessage":"use gzip"}}', { sent: 5 }],
  ['nonsense in it', '{"partialSuccess":{"rejectedSpans":{"a":1},"errorMessage":7}}', { sent: 5 }],
  ['null', 'null', { sent: 5 }],
  ['no JSON', '<html>', { sent: 5 }],
  ['nothing', '', { sent: 5 }],
  ['far too much', `"${'x'.repeat(1_000_000)}"`, { sent: 5 }],
])('a 200 with %s is not sent again', async (_, body, expected) => {
  const { collector, clock, add, until } = await start()
  collector.answer((response) => response.end(body))
  add(5)
  clock.advance(SEND_AFTER_MS)
  await until(expected)
  await pass(clock, 100_000)
  expect(collector.requests).toHaveLength(1)
})

test('one that never answers costs a bounded number of spans, and each try has an end', async () => {
  const { collector, clock, add, asked, counted } = await start()
  collector.answer(() => {})
  add(MAX_QUEUED)
  clock.advance(0)
  await asked(1)
  add(10 * MAX_QUEUED)
  expect(counted).toEqual({ queue_full: 10 * MAX_QUEUED - BATCH_SPANS })
  await pass(clock, SEND_WITHIN_MS)
  await pass(clock, 1_000)
  await asked(2)
  expect(collector.requests[1]?.text).toBe(collector.requests[0]?.text)
})

test('a stop sends what waits', async () => {
  const { collector, add, exporter, counted } = await start()
  add(2 * BATCH_SPANS + 3)
  await exporter.stop()
  expect([counted, collector.requests.length]).toEqual([{ sent: 2 * BATCH_SPANS + 3 }, 3])
  add(1)
  expect(counted).toEqual({ sent: 2 * BATCH_SPANS + 3, undelivered: 1 })
})

test('a stop waits for a silent collector only so long', async () => {
  const { collector, clock, add, asked, exporter, counted } = await start()
  collector.answer(() => {})
  add(BATCH_SPANS + 3)
  const stopped = exporter.stop()
  await asked(1)
  await pass(clock, STOP_WITHIN_MS)
  await stopped
  expect(counted).toEqual({ undelivered: BATCH_SPANS + 3 })
})

test('a stop with nobody there is over at once', async () => {
  const { add, exporter, counted } = await start('http://127.0.0.1:1/v1/traces')
  add(MAX_QUEUED)
  await exporter.stop()
  expect(counted).toEqual({ undelivered: MAX_QUEUED })
})
