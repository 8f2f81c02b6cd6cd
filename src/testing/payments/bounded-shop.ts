import { createRateCounters } from '../../access/rate-counters.ts'
import { silentLog } from '../../core/log.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import type { FacilitatorPool } from '../../payments/facilitators/facilitators.ts'
import { createBounds } from '../../payments/gate/bounds/bounds.ts'
import { createOpenPayments } from '../../payments/gate/bounds/open-payments.ts'
import { createCollect } from '../../payments/gate/collect.ts'
import { createLeases } from '../../payments/gate/leases.ts'
import type { Payment } from '../../payments/gate/payment.ts'
import type {
  Chain,
  ChainOutcome,
  Facilitators,
  SettleAnswer,
  VerifyAnswer,
} from '../../payments/gate/ports.ts'
import { createReconcile } from '../../payments/gate/reconcile.ts'
import { createSell, type Problem } from '../../payments/gate/sell.ts'
import { createSettleHints } from '../../payments/gate/settle-hints.ts'
import { createMemoryPaymentBook } from '../ledger/memory-payment-book.ts'
import type { MemoryRows } from '../ledger/memory-payment-rows.ts'
import { cheap, NOW_MS, requirementOf } from './sample-evm.ts'

const PAID: ChainOutcome = { kind: 'paid', transaction: '0x1' }
const ACCEPTED: SettleAnswer = { kind: 'accepted', transaction: '0x1', facilitator: 'test' }

type Others = { facilitators: Facilitators & Partial<Pick<FacilitatorPool, 'strangersPace'>>; chain: Chain }

/** The real bounds, sale and reconciling, before a facilitator and a chain that a test controls. */
export function openBoundedShop(others: (clock: Clock) => Partial<Others> = () => ({})) {
  const clock = createManualClock(NOW_MS)
  const rows: MemoryRows = new Map()
  const asked = {
    verify: 0,
    settle: 0,
    outcome: 0,
    inFlight: 0,
    mostInFlight: 0,
    known: [] as (boolean | undefined)[],
  }
  const world = {
    verify: (_: Payment): VerifyAnswer => ({ kind: 'valid' }),
    settle: (_: Payment): SettleAnswer => ACCEPTED,
    outcome: (_: Payment): ChainOutcome => PAID,
    isBroken: false,
    /** Checks wait for it. */
    held: new Promise<void>((done) => setImmediate(done)),
  }
  const facilitators: Others['facilitators'] = {
    async verify(payment: Payment, isKnown?: boolean) {
      asked.verify++
      asked.known.push(isKnown)
      asked.mostInFlight = Math.max(asked.mostInFlight, ++asked.inFlight)
      await world.held
      asked.inFlight--
      return world.verify(payment)
    },
    ready: async () => {},
    async settle(payment: Payment) {
      asked.settle++
      return world.settle(payment)
    },
  }
  const chain: Chain = {
    ready: async () => {},
    async outcome(payment: Payment) {
      asked.outcome++
      return world.outcome(payment)
    },
  }
  const open = createOpenPayments({ clock })
  const book = createMemoryPaymentBook({ rows })
  const ports = {
    ...{ clock, open, facilitators, chain, log: silentLog, book },
    leases: createLeases({ clock, log: silentLog, book }),
    ...others(clock),
    receipts: { sign: async () => 'receipt' },
    hints: createSettleHints(),
  }
  let purchases = 0
  const random = { id: () => `id-${++purchases}` }
  const sell = createSell({ ...ports, random, collect: createCollect(ports) })
  const customerOf = (client: string) => client.replace(/ line .*/, '')
  const { strangersPace } = ports.facilitators
  const counters = createRateCounters({ clock })
  const bounds = createBounds({ clock, open, sell, customerOf, strangersPace, counters })
  const work = async () => {
    if (world.isBroken) throw new ServiceError('upstream_unavailable', 'it cannot be made')
    return { text: '{}', bytes: 2, asOfMs: undefined, isOutage: false }
  }
  /** `sold`, the reason of a refusal, or the code of a failure. */
  const buy = (
    payment: Payment,
    { client = 'client', request = 'GET /p', problem = undefined as Problem | undefined } = {},
  ): Promise<string> =>
    bounds.sell(client, payment, { productId: 'p', request, work }, problem).then(
      (sale) => (sale.kind === 'sold' ? 'sold' : sale.reason),
      (error: ServiceError) => error.code,
    )
  return { clock, rows, asked, world, bounds, open, buy, reconcile: createReconcile(ports) }
}

let nonces = 0

/** A payment whose signature was found good. */
export function paymentOf(payer: string): Payment {
  const requirement = requirementOf(cheap, 'eip155')
  const { network } = requirement
  const nonce = String(++nonces)
  return {
    ...{ version: 2, network, requirement, payer, payload: { payer }, identifier: undefined },
    key: `${network}/${payer}/${nonce}`,
    digest: nonce,
    validBeforeMs: NOW_MS + 300_000,
  }
}

/** How often each ending came. */
export function countEndings(endings: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const ending of endings) counts[ending] = (counts[ending] ?? 0) + 1
  return counts
}
