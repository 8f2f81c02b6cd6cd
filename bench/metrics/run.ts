/** What metrics add to a request and to a sale, in microseconds: `npm run bench:metrics`. */
import { createWorkCounts } from '../../src/app/metrics/work-counts.ts'
import { answerAside, probes } from '../../src/http/aside.ts'
import type { Store } from '../../src/ledger/ports/store.ts'

const ROUNDS = 7
const CALLS = 300_000
const ENDPOINTS = Array.from({ length: 130 }, (_, at) => `group${at % 12}.endpoint-${at}`)
const idOf = (n: number) => ENDPOINTS[n % ENDPOINTS.length] as string

/** The middle of several rounds. */
function microseconds(call: (n: number) => unknown): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const startedMs = performance.now()
    for (let n = 0; n < CALLS; n++) call(n)
    return ((performance.now() - startedMs) * 1_000) / CALLS
  })
  return rounds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] as number
}

const counts = createWorkCounts()
const usage = { record: () => {}, perDay: async () => [], dropped: 0 }
const watched = counts.watchStore({ usage, payments: {} } as unknown as Store)
const aside = probes(async () => [])
const raw = { url: '/price/BTC?format=list', method: 'GET' } as never

const rows: [string, number][] = [
  ['looking whether it is a probe (always)', microseconds(() => answerAside(aside, raw, 'id'))],
  ['the request and its latency', microseconds((n) => counts.observeCall(idOf(n), 200, n % 50))],
  [
    'the call of a product',
    microseconds((n) =>
      watched.usage.record({ atMs: 0, productId: idOf(n), via: 'free', status: 200, ms: 1 }),
    ),
  ],
]
for (const [what, us] of rows) console.log(`${us.toFixed(3)} µs  ${what}`)
console.log(`${rows.reduce((sum, [, us]) => sum + us, 0).toFixed(3)} µs  together`)
