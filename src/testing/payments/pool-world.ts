import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FacilitatorClient } from '@x402/core/server'
import { createRateCounters } from '../../access/rate-counters.ts'
import { createCatalog, type PaidProduct } from '../../catalog/catalog.ts'
import { createPaidMint } from '../../catalog/paid.ts'
import { fillPath } from '../../catalog/path.ts'
import { silentLog } from '../../core/log.ts'
import type { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createChallenges } from '../../payments/challenge/challenge.ts'
import { createListings, withListings } from '../../payments/challenge/listing.ts'
import { createTerms, EVM_NETWORK, SVM_NETWORK } from '../../payments/challenge/terms.ts'
import { createFacilitators, type FacilitatorPool } from '../../payments/facilitators/facilitators.ts'
import { createHttpMember } from '../../payments/facilitators/members/http-member.ts'
import type { Explain } from '../../payments/facilitators/verify.ts'
import { createOpenPayments } from '../../payments/gate/bounds/open-payments.ts'
import { createCollect } from '../../payments/gate/collect.ts'
import { createGate, type Purchase } from '../../payments/gate/gate.ts'
import { createHandedOut } from '../../payments/gate/handed-out.ts'
import { createLeases } from '../../payments/gate/leases.ts'
import type { Payment } from '../../payments/gate/payment.ts'
import type { Chain } from '../../payments/gate/ports.ts'
import { createSell } from '../../payments/gate/sell.ts'
import { createSettleHints } from '../../payments/gate/settle-hints.ts'
import { createReadPayment, type PaymentHeader } from '../../payments/read/read-payment.ts'
import { createOffers } from '../../payments/receipts/offers.ts'
import { openServiceKey } from '../../payments/receipts/service-key.ts'
import { productGroups } from '../../products/groups.ts'
import type { Tamper } from '../../sandbox/facilitator/faults.ts'
import { serveFacilitator } from '../../sandbox/facilitator/serve-facilitator.ts'
import { createMemoryPaymentBook } from '../ledger/memory-payment-book.ts'
import type { MemoryRows } from '../ledger/memory-payment-rows.ts'
import { BASE_URL, cheap, NOW_MS, requirementOf, signAuthorization, toHeader } from './sample-evm.ts'
import { payerSigner } from './sample-svm.ts'
import { withoutBounds } from './without-bounds.ts'

type Sent = Parameters<FacilitatorClient['settle']>
/** A facilitator on HTTP, what reached it, and what goes wrong there. */
export type PoolMember = {
  feePayer: string
  verified: Sent[]
  settled: Sent[]
  tamper: Tamper
  /** Nobody listens at its address while it is down. */
  setDown(isDown: boolean): Promise<void>
}

export const catalog = createCatalog(productGroups)

/** The real reader, challenges, gate and pool, before two facilitators that take every payment on a chain that shows it. */
export async function openPoolWorld() {
  const clock = createManualClock(NOW_MS)
  const opened = await Promise.all([21, 22].map((byte) => openMember(byte, clock)))
  const members = opened.map(({ member }) => member) as [PoolMember, PoolMember]
  /** Looks at a payer's balance, and what they show. */
  const funds: { asked: string[]; has: boolean | undefined } = { asked: [], has: undefined }
  /** Whether the token says that authorizations were used. */
  const nonces: { areUsed: boolean | undefined } = { areUsed: undefined }
  /** What the token says against payments, and who was asked about. */
  const token: { asked: string[]; says: Awaited<ReturnType<Explain>>; looks: number } = {
    ...{ asked: [], says: undefined, looks: 0 },
  }
  const pool = createFacilitators({
    ...{ clock, log: silentLog, random: () => 0.5 },
    members: opened.map(({ url }) => createHttpMember({ url })),
    lookAtPayer: async ({ payer }) => {
      funds.asked.push(payer)
      return funds.has === undefined
        ? undefined
        : { hasFunds: funds.has, isUnused: !nonces.areUsed, hasCode: false }
    },
    isUsed: async () => nonces.areUsed,
    token: {
      async explain({ payer }) {
        token.asked.push(payer)
        return token.says
      },
      async look() {
        token.looks++
      },
    },
  })
  await pool.refresh()
  const rows: MemoryRows = new Map()
  const gate = openGate(clock, pool, members, rows)
  const ask = (payment: PaymentHeader | undefined, product: PaidProduct = cheap) =>
    gate.admit(purchaseOf(product, payment), () => ({
      ...{ text: '{}', bytes: 2, asOfMs: undefined, isOutage: false },
    }))
  return {
    clock,
    pool,
    members,
    funds,
    nonces,
    token,
    /** Payments in the ledger. */
    rows,
    /** What a 402 asks for. */
    async priceOf(product?: PaidProduct) {
      const admission = await ask(undefined, product)
      if (admission.kind !== 'refused') throw new Error('it was given away')
      return JSON.parse(admission.challenge.body)
    },
    /** How a purchase ends: `sold`, the reason of a 402, or the code of a failure. */
    buy: (payment: PaymentHeader, product?: PaidProduct): Promise<Ending> =>
      ask(payment, product).then(
        (admission) => ({
          ended: admission.kind === 'refused' ? JSON.parse(admission.challenge.body).error : admission.kind,
        }),
        ({ code, retryAfterS }: ServiceError) => ({ ended: code, retryAfterS }),
      ),
    async close() {
      await Promise.all(opened.map(({ close }) => close()))
    },
  }
}

function openGate(clock: Clock, pool: FacilitatorPool, members: readonly PoolMember[], rows: MemoryRows) {
  const { payTo: evm } = requirementOf(cheap, 'eip155')
  const { payTo: svm } = requirementOf(cheap, 'solana')
  const terms = createTerms({ evm, svm }, pool.feePayerOf, pool.mayPayFees)
  const site = { baseUrl: BASE_URL, mode: 'live', catalog } as const
  const chain: Chain = {
    ready: async () => {},
    async outcome(payment) {
      const hasMoved = members.some(({ settled }) =>
        settled.some(([{ payload }]) => isSame(payload, payment)),
      )
      return hasMoved ? { kind: 'paid', transaction: 'moved' } : { kind: 'open' }
    },
  }
  const book = createMemoryPaymentBook({ rows })
  const facilitators = withListings(pool, createListings(site))
  const hints = createSettleHints()
  const open = createOpenPayments({ clock })
  const leases = createLeases({ clock, log: silentLog, book })
  const ports = { clock, log: silentLog, book, facilitators, chain, hints, open, leases }
  const collect = createCollect({ ...ports, receipts: { sign: async () => 'receipt' } })
  const key = openServiceKey(mkdtempSync(join(tmpdir(), 'tollbook-pool-')))
  const offers = createOffers({ key, clock, mode: 'live' })
  const signatures = { holds: async () => false }
  let purchases = 0
  const sell = createSell({ ...ports, collect, random: { id: () => `id-${++purchases}` } })
  return createGate({
    clock,
    mint: createPaidMint().mint,
    challenges: createChallenges({ ...site, clock, payment: terms, offers }),
    demo: { limit: 0, remaining: async () => 0, take: async () => undefined },
    counters: createRateCounters({ clock }),
    readPayment: createReadPayment({ clock, terms, baseUrl: BASE_URL, signatures }),
    // What the pool bears is tested with more than one wallet may send.
    handedOut: createHandedOut({ customerOf: (client) => client }),
    bounds: withoutBounds(sell),
  })
}

const purchaseOf = (product: PaidProduct, payment: PaymentHeader | undefined): Purchase => ({
  route: { method: product.method, path: product.path, preset: {}, endpoint: product },
  product,
  client: 'test',
  resource: fillPath(product.path, product.sample),
  checkExists: () => {},
  askPriceOnly: false,
  payment,
  envelopeVersion: 2,
  maxAgeMs: undefined,
})

type Ending = { ended: string; retryAfterS?: number | undefined }

const isSame = (payload: unknown, payment: Payment): boolean =>
  JSON.stringify(payload) === JSON.stringify(payment.payload.payload)

async function openMember(byte: number, clock: Clock) {
  const { address: feePayer } = await payerSigner(byte)
  const member: PoolMember = {
    feePayer,
    verified: [],
    settled: [],
    tamper: () => undefined,
    setDown: (isDown) => server.refuse(isDown),
  }
  const kinds = [
    { x402Version: 2, scheme: 'exact', network: EVM_NETWORK },
    { x402Version: 2, scheme: 'exact', network: SVM_NETWORK, extra: { feePayer } },
  ] as const
  const client: FacilitatorClient = {
    async verify(...sent) {
      member.verified.push(sent)
      return { isValid: true }
    },
    async settle(...sent) {
      member.settled.push(sent)
      return { success: true, transaction: 'moved', network: sent[1].network }
    },
    getSupported: async () => ({ kinds: [...kinds], extensions: [], signers: {} }),
  }
  const server = await serveFacilitator(client, { clock, tamper: (call) => member.tamper(call) })
  return { member, url: server.url, close: server.close }
}

let signed = 0

/** A payment on Base for the cheapest product, each with a nonce of its own. */
export async function signNext(): Promise<PaymentHeader> {
  const accepted = requirementOf(cheap, 'eip155')
  const nonce = `0x${(++signed).toString(16).padStart(64, '0')}` as const
  const payload = await signAuthorization(accepted, { nonce })
  return { version: 2, text: toHeader({ x402Version: 2, accepted, payload }) }
}
