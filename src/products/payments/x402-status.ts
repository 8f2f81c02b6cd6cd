import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { toUsdNumber } from '../../core/money.ts'
import type { SalesOverview } from '../../ledger/ports/payment-book-queries.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { FormerKey, toFormerKey } from '../record/key-change.ts'
import type { FacilitatorState, PaymentDesk, PaymentServices } from './services.ts'
import { OfMode, OptionalTime, Revenue, toOptionalTime, toRevenue } from './x402-fields.ts'

const StepState = z
  .enum(['ok', 'trying', 'paused'])
  .describe('ok: in use; paused: set aside for a while after faults; trying: the next call decides')
/** A breaker that is closed works, which reads like the opposite. */
const STEP_STATES = { closed: 'ok', half_open: 'trying', open: 'paused' } as const
const Facilitator = z.object({
  name: z.string().min(1).describe('Its host; in-process: it runs inside this service'),
  networks: z.array(z.object({ network: z.string().min(1), verify: StepState, settle: StepState })),
  latency_ms: z.number().min(0).nullable(),
  last_fault: z.string().nullable(),
  last_fault_at: OptionalTime,
})

const Status = z.object({
  timestamp: Timestamp,
  source: Source,
  mode: OfMode,
  networks: z.array(
    z.object({
      network: z.string().min(1).describe('CAIP-2 identifier'),
      scheme: z.string().min(1),
      asset: z.string().min(1),
      pay_to: z.string().min(1),
      max_timeout_s: z.int().min(1),
      ...Revenue.shape,
    }),
  ),
  facilitators: z.array(Facilitator),
  ...Revenue.shape,
  payers: z.int().min(0),
  last_settlement_at: OptionalTime,
  operator: Revenue.describe("The operator's own purchases; not part of the sums above"),
  unsettled: z
    .object({ count: z.int().min(0), oldest_age_ms: z.int().min(0).nullable() })
    .describe('Sent and not yet decided by the chain'),
  marketplace: z.object({
    extension: z.literal('bazaar').describe('Every 402 carries the metadata directories list'),
    paid_products: z.int().min(0),
    paid_addresses: z.int().min(0),
    cheapest_usdc: z.number().min(0),
    dearest_usdc: z.number().min(0),
  }),
  receipt_key: z.string().min(1).describe('did:key that signs offers and receipts; it holds the public key'),
  former_receipt_keys: z
    .array(FormerKey)
    .describe('Keys that signed before, oldest first: what they signed until then is ours'),
})

export const x402Status = defineEndpoint({
  id: 'payments.status',
  method: 'GET',
  path: '/x402/status',
  access: free,
  openWith: 'publicRevenue',
  summary: 'Settlements, revenue and ways to pay',
  description:
    'Networks and terms that are accepted, health of the facilitators, what was settled, what still waits for the chain, and how much is for sale. Sums come from the ledger.',
  params: z.object({}),
  sample: {},
  response: Status,
  handle: async ({ payments, clock, mode, sourceOf }: PaymentServices) => {
    const overview = await payments.overview()
    const { oldestMs, count } = overview.unsettled
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf('ledger'),
      mode,
      networks: toNetworks(payments, overview),
      facilitators: payments.facilitators().map(toFacilitator),
      ...toRevenue(overview.customers),
      payers: overview.payers,
      last_settlement_at: toOptionalTime(overview.lastSettledMs),
      operator: toRevenue(overview.own),
      unsettled: {
        count,
        oldest_age_ms: oldestMs === undefined ? null : Math.max(0, Math.round(clock.now() - oldestMs)),
      },
      marketplace: toMarketplace(payments),
      receipt_key: payments.receiptKeyId,
      former_receipt_keys: payments.keyChanges.map(toFormerKey),
    }
  },
})

/** The price does not matter here: every product is offered on the same terms. */
const ANY_PRICE = '0'
const NOTHING = { count: 0, revenue: 0n } as SalesOverview['own']

function toNetworks({ accepts }: PaymentDesk, { perNetwork }: SalesOverview) {
  return accepts(ANY_PRICE).map(({ network, scheme, asset, payTo, maxTimeoutSeconds }) => ({
    network,
    scheme,
    asset,
    pay_to: payTo,
    max_timeout_s: maxTimeoutSeconds,
    ...toRevenue(perNetwork.find((each) => each.network === network) ?? NOTHING),
  }))
}

function toMarketplace({ shop }: PaymentDesk) {
  return {
    extension: 'bazaar' as const,
    paid_products: shop.products,
    paid_addresses: shop.addresses,
    cheapest_usdc: toUsdNumber(shop.cheapest),
    dearest_usdc: toUsdNumber(shop.dearest),
  }
}

/** Field by field: whatever else a facilitator's record holds stays inside. */
function toFacilitator({ name, networks, latencyMs, lastFault, lastFaultAtMs }: FacilitatorState) {
  return {
    name,
    networks: networks.map(({ network, verify, settle }) => ({
      network,
      verify: STEP_STATES[verify],
      settle: STEP_STATES[settle],
    })),
    latency_ms: latencyMs ?? null,
    last_fault: lastFault ?? null,
    last_fault_at: toOptionalTime(lastFaultAtMs),
  }
}
