/** What a trace costs beside the request itself, in microseconds of CPU: `npm run bench:spans`. */
import type { IncomingMessage } from 'node:http'
import { inSpan } from '../../src/app/traces/current.ts'
import { toExportRequest } from '../../src/app/traces/otlp-json.ts'
import { createSampler } from '../../src/app/traces/sampler.ts'
import { KIND, type Span } from '../../src/app/traces/span.ts'
import { BATCH_SPANS } from '../../src/app/traces/span-exporter.ts'
import { createTracer } from '../../src/app/traces/tracer.ts'
import type { Route } from '../../src/catalog/catalog.ts'
import { systemClock } from '../../src/core/time/clock.ts'
import type { TraceRequest } from '../../src/http/request-trace.ts'

const ROUNDS = 7
const CALLS = 20_000
const BATCHES = 100
const route = { path: '/price/{token}', endpoint: { id: 'market.price' } } as unknown as Route
const ENDED = { route, status: 200, via: 'demo', code: undefined } as const
const about = { name: 'ledger demo.take', kind: KIND.internal, attributes: { 'tollbook.book': 'demo' } }
const raw = { headers: {} } as IncomingMessage

/** The middle of several rounds. Time of the process, which others on the machine do not use up. */
async function microseconds(call: () => unknown, calls = CALLS): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    for (let n = 0; n < calls; n++) await call()
    const { user, system } = process.cpuUsage(before)
    rounds.push((user + system) / calls)
  }
  return rounds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] as number
}

const work = async () => {}
const request = (traceRequest: TraceRequest | undefined, answer: () => Promise<void>) => async () => {
  const trace = traceRequest?.(raw, 'GET')
  await (trace ? trace.run(answer) : answer())
  trace?.end(ENDED)
}
const kept: Span[] = []
const add = (span: Span) => {
  if (kept.length < BATCH_SPANS) kept.push(span)
}
const tracer = (share: number) =>
  createTracer({ clock: systemClock, isTraced: createSampler(systemClock, share), add, onFull: () => {} })
const child = () => inSpan(about, work)

const rows: [string, number][] = [
  ['a request without traces', await microseconds(request(undefined, work))],
  ['traces are on, and it is not chosen', await microseconds(request(tracer(0), work))],
  ['it is traced', await microseconds(request(tracer(1), work))],
  ['it is traced, with one call in it', await microseconds(request(tracer(1), child))],
  [
    `${BATCH_SPANS} spans are made into text`,
    await microseconds(() => JSON.stringify(toExportRequest({}, kept)), BATCHES),
  ],
]
for (const [what, us] of rows) console.log(`${us.toFixed(2).padStart(8)} µs  ${what}`)
