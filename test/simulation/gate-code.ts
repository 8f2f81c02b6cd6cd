import { holdClaims } from '../../src/ledger/held-claims.ts'
import { createChain } from '../../src/payments/chain/chain.ts'
import { createEvmReferee } from '../../src/payments/chain/evm/chain.ts'
import { evmNode } from '../../src/payments/chain/evm/evm-node.ts'
import { createEvmReviewer } from '../../src/payments/chain/evm/review.ts'
import {
  JsonRpcRefusal,
  NoBatchError,
  NodeBusyError,
  NodeStatusError,
} from '../../src/payments/chain/json-rpc.ts'
import { createAgreedReferee } from '../../src/payments/chain/nodes/agree.ts'
import { createAgreedReviewer } from '../../src/payments/chain/nodes/agree-review.ts'
import { createChainNode } from '../../src/payments/chain/nodes/chain-node.ts'
import { joinNodes } from '../../src/payments/chain/nodes/chain-nodes.ts'
import { svmNode } from '../../src/payments/chain/svm/svm-node.ts'
import { createTerms } from '../../src/payments/challenge/terms.ts'
import { createFacilitators } from '../../src/payments/facilitators/facilitators.ts'
import { createLookAtPayer } from '../../src/payments/facilitators/look-at-payer.ts'
import { createFinality } from '../../src/payments/finality/finality.ts'
import { createWaryChain } from '../../src/payments/finality/wary-chain.ts'
import { createWaryPayers } from '../../src/payments/finality/wary-payers.ts'
import { createBounds } from '../../src/payments/gate/bounds/bounds.ts'
import { createOpenPayments } from '../../src/payments/gate/bounds/open-payments.ts'
import { createCollect } from '../../src/payments/gate/collect.ts'
import { createLeases } from '../../src/payments/gate/leases.ts'
import { createReconcile } from '../../src/payments/gate/reconcile.ts'
import { createSell } from '../../src/payments/gate/sell.ts'
import { createSettleHints } from '../../src/payments/gate/settle-hints.ts'
import { createSmartWalletSignatures } from '../../src/payments/read/evm/smart-wallet-signatures.ts'
import { createReadPayment } from '../../src/payments/read/read-payment.ts'
import { createMemoryFinalityBook, isLostIn } from '../../src/testing/ledger/finality/memory-finality-book.ts'
import { createMemoryPaymentBook } from '../../src/testing/ledger/memory-payment-book.ts'
import { createReader, type Reader } from './seller/reader.ts'

/** The code that is put to the test: the real thing, or a copy with one planted bug. */
export type GateParts = typeof parts
/** Its reader is made once: what it works out for the first time would take real time in the middle of a schedule. */
export type GateCode = GateParts & { reader: Reader }

const parts = {
  createSell,
  createCollect,
  createReconcile,
  createLeases,
  createSettleHints,
  createOpenPayments,
  createBounds,
  createFacilitators,
  createLookAtPayer,
  createReadPayment,
  createSmartWalletSignatures,
  createTerms,
  createChain,
  createAgreedReferee,
  createChainNode,
  joinNodes,
  createEvmReferee,
  createAgreedReviewer,
  createEvmReviewer,
  createFinality,
  createWaryChain,
  createWaryPayers,
  evmNode,
  svmNode,
  NodeStatusError,
  NodeBusyError,
  NoBatchError,
  JsonRpcRefusal,
  createMemoryPaymentBook,
  createMemoryFinalityBook,
  isLostIn,
  holdClaims,
}
/** Where each of them stands in `src/`. */
export const PART_FILES = [
  'payments/gate/sell.ts',
  'payments/gate/collect.ts',
  'payments/gate/reconcile.ts',
  'payments/gate/leases.ts',
  'payments/gate/settle-hints.ts',
  'payments/gate/bounds/open-payments.ts',
  'payments/gate/bounds/bounds.ts',
  'payments/facilitators/facilitators.ts',
  'payments/facilitators/look-at-payer.ts',
  'payments/read/read-payment.ts',
  'payments/read/evm/smart-wallet-signatures.ts',
  'payments/challenge/terms.ts',
  'payments/chain/chain.ts',
  'payments/chain/nodes/agree.ts',
  'payments/chain/nodes/agree-review.ts',
  'payments/chain/nodes/chain-node.ts',
  'payments/chain/nodes/chain-nodes.ts',
  'payments/chain/evm/chain.ts',
  'payments/chain/evm/evm-node.ts',
  'payments/chain/evm/review.ts',
  'payments/chain/svm/svm-node.ts',
  'payments/chain/json-rpc.ts',
  'payments/finality/finality.ts',
  'payments/finality/wary-chain.ts',
  'payments/finality/wary-payers.ts',
  'testing/ledger/memory-payment-book.ts',
  'testing/ledger/finality/memory-finality-book.ts',
  'ledger/held-claims.ts',
] as const

export const realCode: GateCode = await prepare(parts)

export async function prepare(code: GateParts): Promise<GateCode> {
  return { ...code, reader: await createReader(code) }
}
