import { customerOf, networkOf } from '../access/client-key.ts'
import { createRateCounters } from '../access/rate-counters.ts'
import type { PaymentTerms } from '../catalog/payment-terms.ts'
import type { Site } from '../catalog/site.ts'
import type { Mode } from '../config/variables/variable.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import { holdClaims } from '../ledger/held-claims.ts'
import type { Store } from '../ledger/ports/store.ts'
import { createListings, withListings } from '../payments/challenge/listing.ts'
import { createTerms, EVM_NETWORK, SVM_NETWORK } from '../payments/challenge/terms.ts'
import { createFacilitators, type FacilitatorPool } from '../payments/facilitators/facilitators.ts'
import { createLookAtPayer } from '../payments/facilitators/look-at-payer.ts'
import { createIsUsed } from '../payments/facilitators/used.ts'
import { createFinality, type Finality } from '../payments/finality/finality.ts'
import { createWaryChain } from '../payments/finality/wary-chain.ts'
import { createWaryPayers } from '../payments/finality/wary-payers.ts'
import { type Bounds, createBounds } from '../payments/gate/bounds/bounds.ts'
import { createOpenPayments } from '../payments/gate/bounds/open-payments.ts'
import { createCollect } from '../payments/gate/collect.ts'
import { createLeases } from '../payments/gate/leases.ts'
import type { Payment } from '../payments/gate/payment.ts'
import type { Facilitators } from '../payments/gate/ports.ts'
import { createPurchaseIds } from '../payments/gate/purchase-id.ts'
import { createReconcile, type Reconcile } from '../payments/gate/reconcile.ts'
import { createRefusedPayments, type RefusedPayments } from '../payments/gate/refused-payments.ts'
import { createSell } from '../payments/gate/sell.ts'
import { createSettleHints } from '../payments/gate/settle-hints.ts'
import { type Payable, withPayable } from '../payments/payable/payable.ts'
import { openSigners } from '../payments/read/evm/signers/signers.ts'
import {
  createSmartWalletSignatures,
  type SmartWalletSignatures,
} from '../payments/read/evm/smart-wallet-signatures.ts'
import { createReadPayment, type ReadPayment } from '../payments/read/read-payment.ts'
import { createReceipts } from '../payments/receipts/receipts.ts'
import type { ServiceKey } from '../payments/receipts/service-key.ts'
import {
  byFinal,
  CLAIMED_RECEIPT,
  createAgreedCheckPast,
  createAgreedReadTransaction,
} from '../payments/transfer-claim/read-transaction.ts'
import { createTransferChain } from '../payments/transfer-claim/transfer-chain.ts'
import {
  type ClaimTransfer,
  createClaimTransfer,
  type TransferClaimPorts,
} from '../payments/transfer-claim/transfer-claims.ts'
import { isTransferKey, nothingToSend } from '../payments/transfer-claim/transfer-payment.ts'
import { createTransferReview } from '../payments/transfer-claim/transfer-review.ts'
import type { Chains } from './chains.ts'
import { openPayable } from './payable.ts'
import type { PaymentRails } from './payment-rails.ts'
import { createPaymentWorkers, type PaymentWorkers } from './payment-workers.ts'
import { traceMember } from './traces/trace-member.ts'

/** No contract is asked, so none says yes. */
const NO_WALLETS: SmartWalletSignatures = { holds: async () => false }

export type Payments = PaymentWorkers & {
  terms: PaymentTerms
  pool: FacilitatorPool
  payable: Payable
  refused: RefusedPayments
  /** What needs the public address; made once it is known. */
  open(site: Pick<Site, 'baseUrl' | 'mode' | 'catalog'>, key: ServiceKey): OpenPayments
}
export type OpenPayments = {
  bounds: Bounds
  refused: RefusedPayments
  readPayment: ReadPayment
  readByKey: ReadPayment
  reconcile: Reconcile
  finality: Finality
  claimTransfers(shop: Pick<TransferClaimPorts, 'mint' | 'findOffer' | 'counters'>): ClaimTransfer
}
type Ports = {
  clock: Clock
  log: Log
  store: Store
  money: PaymentRails
  chains: Chains
  mode: Mode
  /** Other processes have the ledger too. */
  isShared: boolean
  /** A payment was left for the chain to decide. */
  onOpen?: ((key: string) => void) | undefined
}

async function openPool({ clock, log, money, chains }: Ports, token: Payable): Promise<FacilitatorPool> {
  const pool = createFacilitators({
    // Outside a traced request that is one look, beside a request to another host.
    ...{ clock, log, members: money.facilitators.map(traceMember), random: Math.random },
    networks: [EVM_NETWORK, SVM_NETWORK],
    lookAtPayer: createLookAtPayer({ clock, rpc: chains.base.rpc }),
    isUsed: createIsUsed(chains.base),
    token,
  })
  await pool.refresh()
  return pool
}

/** Whose a client may be. */
const WHOSE = { customerOf, networkOf }

export async function openPayments(input: Ports): Promise<Payments> {
  const { clock, log, store, money, chains, mode, isShared } = input
  const payable = openPayable({ clock, payTo: money.payTo, chains })
  const pool = await openPool(input, payable)
  const terms = createTerms(
    money.payTo,
    pool.feePayerOf,
    pool.mayPayFees,
    // A stock client pays on the first network that it finds.
    (network) => payable.closureOf(network) !== undefined || nodesOf(chains, network).isLost(),
  )
  const { readTransaction, chain, wary, waryChain } = openReferee(input, payable)
  const signers = openSigners({
    clock,
    onFailure: (err) => log.warn({ err }, 'signers are recovered in the main thread'),
  })
  const hints = createSettleHints(store.hints)
  await hints.load()
  const open = createOpenPayments({ clock, onNoted: input.onOpen })
  const random = createPurchaseIds(clock)
  // A claim in memory would be unknown to the others.
  const book = isShared ? store.payments : holdClaims(store.payments)
  const leases = createLeases({ clock, log, book })
  const refused = createRefusedPayments({ clock })
  return {
    terms,
    pool,
    payable,
    refused,
    open(site, key) {
      const { baseUrl } = site
      const facilitators = withListings(pool, createListings(site))
      const receipts = createReceipts({ key, baseUrl, mode })
      const common = { clock, log, book, receipts, hints, open, facilitators, leases, isShared }
      const ports = { ...common, chain: waryChain }
      const reading = { clock, terms, baseUrl, findSigner: signers.find }
      // Whether a payment moved at all is asked of the plain chain: a payer who is refused would pay twice.
      const sell = createSell({ ...ports, chain, random, collect: createCollect(ports) })
      const bounds = createBounds({
        ...{ clock, open, sell, ...WHOSE, strangersPace: pool.strangersPace },
        counters: createRateCounters({ clock }),
      })
      const signatures = createSmartWalletSignatures({
        ...{ rpc: chains.base.rpc, clock, customerOf, isKnown: bounds.isKnown },
        counters: createRateCounters({ clock }),
      })
      return {
        refused,
        bounds,
        readPayment: createReadPayment({ ...reading, signatures }),
        readByKey: createReadPayment({ ...reading, signatures: NO_WALLETS }),
        reconcile: createReconcile(ports),
        finality: createFinality({
          ...{ clock, log, chain, wary, book: store.finality, payments: book, isShared },
          facilitators: { settle: (payment) => settlerOf(payment, facilitators).settle(payment) },
          networks: [EVM_NETWORK, SVM_NETWORK],
        }),
        claimTransfers: (shop) =>
          createClaimTransfer({
            ...{ ...ports, ...shop, ledger: book },
            ...{ random, terms, signatures, customerOf, readTransaction },
          }),
      }
    },
    ...createPaymentWorkers({ clock, log, store, selling: [pool, leases], signers }),
  }
}

/** `waryChain` lets payers wait for finality whose payments were undone. */
function openReferee({ clock, chains, store }: Ports, payable: Payable) {
  // What was sold is looked at again whatever its length: another node may write the same receipt longer.
  const checkPast = createAgreedCheckPast(chains.base)
  const chain = {
    ...createTransferChain({
      ...{ clock, checkPast, otherwise: withPayable(chains.referee, payable) },
      readTransaction: createAgreedReadTransaction(chains.base),
    }),
    ...createTransferReview({
      ...{ checkPast, otherwise: chains.referee },
      readFinal: createAgreedReadTransaction(chains.base, { heightOf: byFinal }),
    }),
  }
  const wary = createWaryPayers(clock, store.finality)
  const readTransaction = createAgreedReadTransaction(chains.base, { limits: CLAIMED_RECEIPT })
  return { readTransaction, chain, wary, waryChain: createWaryChain({ chain, wary }) }
}

const nodesOf = ({ base, solana }: Chains, network: string) => (network === EVM_NETWORK ? base : solana)

const settlerOf = ({ key }: Payment, facilitators: Facilitators): Facilitators =>
  isTransferKey(key) ? nothingToSend : facilitators
