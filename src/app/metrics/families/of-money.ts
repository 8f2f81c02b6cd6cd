import type { FinalityOverview } from '../../../ledger/ports/finality-book.ts'
import { UNDONE_STATES } from '../../../ledger/ports/finality-book.ts'
import type { SalesOverview } from '../../../ledger/ports/payment-book-queries.ts'
import type { ChainNodes } from '../../../payments/chain/nodes/chain-nodes.ts'
import type { FacilitatorPool } from '../../../payments/facilitators/facilitators.ts'
import type { RefusedPayments } from '../../../payments/gate/refused-payments.ts'
import type { Payable } from '../../../payments/payable/payable.ts'
import { settles } from '../../health/facilitators.ts'
import type { Family } from '../family.ts'
import { counter, gauge, oneOf, sample } from '../family.ts'

type Parts = {
  nowMs(): number
  pool: Pick<FacilitatorPool, 'health'>
  payable: Pick<Payable, 'networks' | 'closureOf'>
  chains: readonly ChainNodes[]
  refused: Pick<RefusedPayments, 'report'>
  /** Undefined where the ledger did not answer. */
  sales(): SalesOverview | undefined
  undone(): FinalityOverview['undone'] | undefined
}

export function moneyFamilies(parts: Parts): Family[] {
  return [...ledgerFamilies(parts), ...facilitatorFamilies(parts), ...chainFamilies(parts)]
}

/** Read from sums that the ledger keeps: no scrape takes longer because more was sold. */
function ledgerFamilies({ nowMs, refused, sales, undone }: Parts): Family[] {
  return [
    counter('tollbook_refused_payments_total', 'Payments that were answered with 402, by reason', () =>
      refused.report().reasons.map(({ reason, count }) => ({ labels: { reason }, value: count })),
    ),
    gauge('tollbook_open_payments', 'Payments that were sent and that the chain has not decided', () =>
      sample(sales()?.unsettled.count),
    ),
    gauge('tollbook_open_payment_oldest_seconds', 'Age of the oldest of them; 0 where there is none', () => {
      const found = sales()
      return sample(found && ageS(found.unsettled.oldestMs, nowMs()))
    }),
    gauge('tollbook_ledger_sales', 'Settled payments of all time in the ledger', () =>
      (sales()?.perNetwork ?? []).flatMap(({ network, count }) => sample(count, { network })),
    ),
    gauge('tollbook_ledger_revenue_usdc_atomic', 'Millionths of a dollar of all time in the ledger', () =>
      (sales()?.perNetwork ?? []).flatMap(({ network, revenue }) => sample(Number(revenue), { network })),
    ),
    gauge(
      'tollbook_undone_payments',
      'Settled payments whose block the chain replaced, by what became of them',
      () => {
        const found = undone()
        return found ? UNDONE_STATES.flatMap((state) => sample(found[state].count, { state })) : []
      },
    ),
  ]
}

const ageS = (sinceMs: number | undefined, nowMs: number) =>
  sinceMs === undefined ? 0 : Math.max(0, nowMs - sinceMs) / 1_000

const BREAKER_STATES = ['closed', 'half_open', 'open'] as const

function facilitatorFamilies({ pool, payable }: Parts): Family[] {
  return [
    gauge('tollbook_facilitator_breaker', '1 for the present state of the breaker of a step', () =>
      pool
        .health()
        .flatMap(({ name: facilitator, networks }) =>
          networks.flatMap(({ network, verify, settle }) => [
            ...oneOf(BREAKER_STATES, verify, { facilitator, network, step: 'verify' }),
            ...oneOf(BREAKER_STATES, settle, { facilitator, network, step: 'settle' }),
          ]),
        ),
    ),
    gauge(
      'tollbook_facilitator_up',
      '1 where it tells what it supports, and checks and settles on a network of ours; after faults once it has settled again',
      () =>
        pool.health().flatMap(({ name: facilitator, supportedFault, networks }) =>
          sample(Number(supportedFault === undefined && settles({ networks, supportedFault })), {
            facilitator,
          }),
        ),
    ),
    gauge('tollbook_facilitator_latency_seconds', 'Running mean of its answers', () =>
      pool
        .health()
        .flatMap(({ name: facilitator, latencyMs }) =>
          sample(latencyMs === undefined ? undefined : latencyMs / 1_000, { facilitator }),
        ),
    ),
    gauge('tollbook_usdc_payable', '1 where USDC lets buyers pay us on a network', () =>
      payable.networks.flatMap((network) => sample(Number(!payable.closureOf(network)), { network })),
    ),
  ]
}

function chainFamilies({ chains }: Parts): Family[] {
  const nodes = () =>
    chains.flatMap(({ name: chain, all }) =>
      all.map((node, at) => ({ labels: { chain, node: String(at + 1) }, ...node.health() })),
    )
  const seconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1_000)
  return [
    gauge(
      'tollbook_node_up',
      '1 where a chain node answers and is of our chain; nodes by their place in the list',
      () => nodes().flatMap(({ labels, trouble }) => sample(Number(!trouble), labels)),
    ),
    gauge('tollbook_node_latency_seconds', 'How long its last probe took', () =>
      nodes().flatMap(({ labels, latencyMs }) => sample(seconds(latencyMs), labels)),
    ),
    gauge('tollbook_node_head_age_seconds', 'Age of its newest block', () =>
      nodes().flatMap(({ labels, headAgeMs }) => sample(seconds(headAgeMs), labels)),
    ),
  ]
}
