import { createRateCounters } from '../../access/rate-counters.ts'
import { createPaidMint } from '../../catalog/paid.ts'
import { silentLog } from '../../core/log.ts'
import type { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createOpenPayments } from '../../payments/gate/bounds/open-payments.ts'
import { createCollect } from '../../payments/gate/collect.ts'
import { createGate, type Gate, type Purchase } from '../../payments/gate/gate.ts'
import type { HandedOut } from '../../payments/gate/handed-out.ts'
import { createLeases } from '../../payments/gate/leases.ts'
import type { Facilitators } from '../../payments/gate/ports.ts'
import { createSell } from '../../payments/gate/sell.ts'
import { createSettleHints } from '../../payments/gate/settle-hints.ts'
import { createReadPayment, type PaymentHeader } from '../../payments/read/read-payment.ts'
import { createMemoryPaymentBook } from '../ledger/memory-payment-book.ts'
import type { MemoryRows } from '../ledger/memory-payment-rows.ts'
import { BASE_URL, cheap, NOW_MS, terms } from './sample-evm.ts'
import { withoutBounds } from './without-bounds.ts'

/** What one process does with a payment. */
type Door = {
  /** How it ends, `sold` or the code of a failure. The reply leaves unless the caller has gone. */
  present(payment: PaymentHeader, client: string, how?: { isCutOff?: boolean }): Promise<string>
}

/** The chain of both: every payment moves, unless nobody has money. The seller hears of it when `whileSettling` is over. */
type Chain = { isPoor: boolean; whileSettling: () => Promise<unknown> }

/** Several processes before one ledger and one chain: the real gate, sale and reader of each. */
export function createDoors() {
  const clock = createManualClock(NOW_MS)
  const rows: MemoryRows = new Map()
  const chain: Chain = { isPoor: false, whileSettling: async () => {} }
  let opened = 0
  return {
    clock,
    chain,
    open(handedOut: HandedOut): Door {
      const gate = openGate(`door-${++opened}`, { clock, rows, chain, handedOut })
      return { present: (payment, client, how) => present(gate, { payment, client, ...how }) }
    },
  }
}

type World = { clock: Clock; rows: MemoryRows; chain: Chain; handedOut: HandedOut }

function openGate(name: string, { clock, rows, chain, handedOut }: World): Gate {
  const book = createMemoryPaymentBook({ rows })
  const facilitators: Facilitators = {
    verify: async () =>
      chain.isPoor ? { kind: 'invalid', reason: 'insufficient_funds' } : { kind: 'valid' },
    async settle() {
      await chain.whileSettling()
      return { kind: 'accepted', transaction: '0x1', facilitator: 'test' }
    },
    ready: async () => {},
  }
  const referee = {
    ready: async () => {},
    outcome: async () =>
      chain.isPoor ? ({ kind: 'open' } as const) : ({ kind: 'paid', transaction: '0x1' } as const),
  }
  const leases = createLeases({ clock, book, log: silentLog })
  const ports = { clock, book, facilitators, leases, log: silentLog, chain: referee }
  const collect = createCollect({
    ...ports,
    ...{ receipts: { sign: async () => 'receipt' }, hints: createSettleHints() },
    open: createOpenPayments({ clock }),
  })
  let purchases = 0
  const sell = createSell({ ...ports, collect, random: { id: () => `${name}-${++purchases}` } })
  return createGate({
    ...{ clock, handedOut, mint: createPaidMint().mint, bounds: withoutBounds(sell) },
    challenges: { challenge: () => ({ header: '', pageHeader: '', body: '{}', bodyBytes: 2, madeAtMs: 0 }) },
    demo: { limit: 0, remaining: async () => 0, take: async () => undefined },
    counters: createRateCounters({ clock }),
    readPayment: createReadPayment({
      ...{ clock, terms, baseUrl: BASE_URL, signatures: { holds: async () => false } },
    }),
  })
}

type Presented = { payment: PaymentHeader; client: string; isCutOff?: boolean }

async function present(gate: Gate, { payment, client, isCutOff }: Presented): Promise<string> {
  const purchase: Purchase = {
    route: { method: 'GET', path: cheap.path, preset: {}, endpoint: cheap },
    product: cheap,
    client,
    resource: '/price/BTC',
    checkExists: () => {},
    askPriceOnly: false,
    payment,
    envelopeVersion: 2,
    maxAgeMs: undefined,
  }
  const work = () => ({ text: '{}', bytes: 2, asOfMs: undefined, isOutage: false })
  try {
    const admission = await gate.admit(purchase, work)
    if (admission.kind === 'sold' && !isCutOff) admission.onSent()
    return admission.kind
  } catch (error) {
    return (error as ServiceError).code
  }
}
