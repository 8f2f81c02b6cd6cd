import { createRateCounters } from '../access/rate-counters.ts'
import type { PaymentTerms } from '../catalog/payment-terms.ts'
import type { Mode } from '../config/variables/variable.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import { HOUR_MS } from '../core/time/time.ts'
import { holdClaims } from '../ledger/held-claims.ts'
import { REPLY_KEPT_MS } from '../ledger/ports/payment-book.ts'
import type { Store } from '../ledger/ports/store.ts'
import { createChain } from '../payments/chain/chain.ts'
import { createEvmReferee } from '../payments/chain/evm/chain.ts'
import { createJsonRpc } from '../payments/chain/json-rpc.ts'
import { createSvmReferee } from '../payments/chain/svm/chain.ts'
import { createTerms } from '../payments/challenge/terms.ts'
import { createFacilitators, type FacilitatorPool } from '../payments/facilitators/facilitators.ts'
import { createCollect } from '../payments/gate/collect.ts'
import { createPurchaseIds } from '../payments/gate/purchase-id.ts'
import { createReconcile, type Reconcile } from '../payments/gate/reconcile.ts'
import { createSell, type Sell } from '../payments/gate/sell.ts'
import { createSmartWalletSignatures } from '../payments/read/evm/smart-wallet-signatures.ts'
import { createReadPayment, type ReadPayment } from '../payments/read/read-payment.ts'
import { createReceipts } from '../payments/receipts/receipts.ts'
import type { ServiceKey } from '../payments/receipts/service-key.ts'
import { createReadTransaction } from '../payments/transfer-claim/read-transaction.ts'
import { createTransferChain } from '../payments/transfer-claim/transfer-chain.ts'
import {
  type ClaimTransfer,
  createClaimTransfer,
  type TransferClaimPorts,
} from '../payments/transfer-claim/transfer-claims.ts'
import type { PaymentRails } from './payment-rails.ts'

/** Blocks that must hold a transfer, its own among them: two seconds on Base, where one block was ever reorganised. */
const EVM_CONFIRMATIONS = 1
const RPC_TIMEOUT_MS = 5_000
const PURGE_EVERY_MS = HOUR_MS

export type Payments = {
  terms: PaymentTerms
  pool: FacilitatorPool
  /** What needs the public address; made once it is known. */
  open(baseUrl: string, key: ServiceKey): OpenPayments
  /** Keeps what facilitators support fresh, asks the chain about open payments, forgets old replies. */
  run(reconcile: Reconcile): () => Promise<void>
}
export type OpenPayments = {
  sell: Sell
  readPayment: ReadPayment
  reconcile: Reconcile
  claimTransfers(shop: Pick<TransferClaimPorts, 'mint' | 'findOffer' | 'counters'>): ClaimTransfer
}
type Ports = { clock: Clock; log: Log; store: Store; money: PaymentRails; bootId: string; mode: Mode }

export async function openPayments({ clock, log, store, money, bootId, mode }: Ports): Promise<Payments> {
  const pool = createFacilitators({ clock, log, members: money.facilitators, random: Math.random })
  await pool.refresh()
  const terms = createTerms(money.payTo, pool.feePayerOf)
  const rpcUrl = money.rpc.evm ?? NOWHERE
  const readTransaction = createReadTransaction(createJsonRpc({ rpcUrl, timeoutMs: RPC_TIMEOUT_MS }))
  const chain = createTransferChain({ clock, readTransaction, otherwise: createReferee(money) })
  const signatures = createSmartWalletSignatures({
    ...{ rpcUrl, timeoutMs: RPC_TIMEOUT_MS, clock },
    counters: createRateCounters({ clock }),
  })
  const random = createPurchaseIds(clock)
  const book = holdClaims(store.payments)
  return {
    terms,
    pool,
    open(baseUrl, key) {
      const receipts = createReceipts({ key, baseUrl, mode })
      const ports = { clock, log, book, receipts, chain, facilitators: pool, bootId }
      return {
        sell: createSell({ ...ports, random, collect: createCollect(ports) }),
        readPayment: createReadPayment({ clock, terms, signatures, baseUrl }),
        reconcile: createReconcile(ports),
        claimTransfers: (shop) =>
          createClaimTransfer({
            ...ports,
            ...shop,
            random,
            ledger: book,
            terms,
            signatures,
            readTransaction,
          }),
      }
    },
    run(reconcile) {
      const stop = new AbortController()
      const running = Promise.all([pool.run(stop.signal), reconcile.run(stop.signal)])
      const stopPurge = clock.every(PURGE_EVERY_MS, () => {
        book.purgeReplies(clock.now() - REPLY_KEPT_MS).catch((err) => log.warn({ err }, 'old replies stay'))
      })
      return async () => {
        stopPurge()
        stop.abort()
        await running
      }
    },
  }
}

/** An address where nobody listens: a network that is not offered is never asked about. */
const NOWHERE = 'http://127.0.0.1:9'

function createReferee({ rpc }: PaymentRails) {
  const timeoutMs = RPC_TIMEOUT_MS
  const evm = createEvmReferee({ rpcUrl: rpc.evm ?? NOWHERE, confirmations: EVM_CONFIRMATIONS, timeoutMs })
  return createChain({ evm, svm: rpc.svm ? createSvmReferee({ rpcUrl: rpc.svm, timeoutMs }) : undefined })
}
