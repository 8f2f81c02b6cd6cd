import { createBoundedCache } from '../../core/bounded-cache.ts'
import type { CountCutOff } from '../../http/connection/cut-offs.ts'
import type { ObserveCall } from '../../http/server.ts'
import type { PaymentLedger } from '../../ledger/ports/payment-book-queries.ts'
import type { Store } from '../../ledger/ports/store.ts'
import type { UsageLog } from '../../ledger/ports/usage-log.ts'
import type { CountSpans } from '../traces/span-exporter.ts'
import type { Family } from './family.ts'
import { createHistogram, type Histogram } from './histogram.ts'
import { createTally, type Tally } from './tally.ts'

/** What is counted while work is done, because nothing else keeps it. Everything else is read at a scrape. */
export type WorkCounts = {
  observeCall?: ObserveCall
  countCutOff?: CountCutOff
  /** A payment that was sent, that the chain has not decided, and that its request no longer waits for. */
  countOpen?: (key: string) => void
  countSpans?: CountSpans
  /** The same ledger. */
  watchStore(store: Store): Store
  families: readonly Family[]
}

/** Of requests for what is not in the catalog, however many addresses they name. */
const NO_ENDPOINT = 'none'
const NO_FACILITATOR = 'none'
const CLASSES = ['0xx', '1xx', '2xx', '3xx', '4xx', '5xx'] as const
const classOf = (status: number) => CLASSES[Math.floor(status / 100)] ?? '0xx'

export function createWorkCounts(): Required<WorkCounts> {
  const requests = createHistogram(
    'tollbook_http_request_seconds',
    'Time from a request to its reply, by the id of the endpoint and the class of the status',
    ['endpoint', 'status'],
  )
  const writes = createHistogram(
    'tollbook_ledger_write_seconds',
    'Time from a durable write of a payment to its end, the wait for its turn in it',
    ['step', 'outcome'],
  )
  for (const step of WRITE_STEPS) writes.begin(step, 'failed')
  const calls = createTally<'product' | 'via' | 'status'>(
    'tollbook_calls_total',
    'Calls of products on every surface, by who bears their cost (paid, demo, holder, free); 402s are none',
  )
  const cutOffs = createTally<'why'>(
    'tollbook_connections_cut_total',
    'Connections that were refused or cut off',
  )
  const spans = createTally<'outcome'>(
    'tollbook_spans_total',
    'Spans of traces by what became of them: sent, or why they were dropped; absent while traces are off',
  )
  const payments = createPaymentCounts()
  return {
    observeCall: (endpoint, status, ms) => requests.note(endpoint ?? NO_ENDPOINT, classOf(status), ms),
    countCutOff: (why) => cutOffs.add({ why }),
    countOpen: payments.opened,
    countSpans: (outcome, count) => spans.add({ outcome }, count),
    watchStore: (store) => ({
      ...store,
      payments: watchPayments(store.payments, writes, payments),
      usage: watchUsage(store.usage, calls),
    }),
    families: [requests, writes, calls, cutOffs, spans, ...payments.families],
  }
}

function watchUsage(usage: UsageLog, calls: Tally<'product' | 'via' | 'status'>): UsageLog {
  return {
    record(event) {
      calls.add({ product: event.productId, via: event.via, status: classOf(event.status) })
      usage.record(event)
    },
    perDay: (sinceMs) => usage.perDay(sinceMs),
    get dropped() {
      return usage.dropped
    },
  }
}

type PaymentCounts = ReturnType<typeof createPaymentCounts>
/** So many payments are not decided twice within the moment in which a request and the worker may both do it. */
const DECIDED_REMEMBERED = 10_000

function createPaymentCounts() {
  const decided = createTally<'network' | 'facilitator' | 'outcome'>(
    'tollbook_payments_total',
    'Payments by what became of them: settled, void, or open (sent, undecided, and nobody waits for it any more)',
  )
  const revenue = createTally<'product' | 'network'>(
    'tollbook_revenue_usdc_atomic_total',
    'Millionths of a dollar of payments that this process found settled',
  )
  const seen = createBoundedCache<string, true>({ capacity: DECIDED_REMEMBERED })
  const isFirst = (outcome: string, key: string) => {
    const name = `${outcome} ${key}`
    const isNew = seen.get(name) === undefined
    seen.set(name, true)
    return isNew
  }
  const undecided = (outcome: 'open' | 'void') => (key: string) => {
    if (isFirst(outcome, key)) decided.add({ network: networkOf(key), facilitator: NO_FACILITATOR, outcome })
  }
  return {
    families: [decided, revenue],
    opened: undecided('open'),
    voided: undecided('void'),
    settled(
      row: { key: string; network: string; productId: string; amount: string },
      by: string | undefined,
    ) {
      if (!isFirst('settled', row.key)) return
      const { network, productId: product } = row
      decided.add({ network, facilitator: by ?? NO_FACILITATOR, outcome: 'settled' })
      revenue.add({ product, network }, Number(row.amount))
    },
  }
}

/** Every key of a payment begins with its network. */
const networkOf = (key: string) => key.slice(0, key.indexOf('/'))

const WRITE_STEPS = ['claim', 'enter', 'prepare', 'settle', 'void'] as const

function watchPayments(ledger: PaymentLedger, writes: Histogram, counts: PaymentCounts): PaymentLedger {
  const timed = async <T>(step: (typeof WRITE_STEPS)[number], write: () => Promise<T>): Promise<T> => {
    const startedMs = performance.now()
    try {
      const written = await write()
      writes.note(step, 'ok', performance.now() - startedMs)
      return written
    } catch (error) {
      writes.note(step, 'failed', performance.now() - startedMs)
      throw error
    }
  }
  return {
    ...ledger,
    claim: (claim) => timed('claim', () => ledger.claim(claim)),
    enter: (...given) => timed('enter', () => ledger.enter(...given)),
    prepare: (...given) => timed('prepare', () => ledger.prepare(...given)),
    async settle(key, outcome, known) {
      const row = await timed('settle', () => ledger.settle(key, outcome, known))
      // One that was settled before comes back with another time or transaction.
      const isOurs = row?.settledAtMs === outcome.settledAtMs && row.transaction === outcome.transaction
      if (row && isOurs) counts.settled(row, row.facilitator)
      return row
    },
    async void(key) {
      await timed('void', () => ledger.void(key))
      counts.voided(key)
    },
  }
}
