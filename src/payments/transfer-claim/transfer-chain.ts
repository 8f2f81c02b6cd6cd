import type { Clock } from '../../core/time/clock.ts'
import type { Payment } from '../gate/payment.ts'
import type { Chain } from '../gate/ports.ts'
import type { CheckPast, MinedTransaction, ReadTransaction } from './read-transaction.ts'
import { findTransferOf, minedAtMs } from './transfer-payment.ts'
import { transfersTo } from './transfers.ts'

/** Its own block and one more, about four seconds; on Base only one block was ever reorganised. */
export const CONFIRMATIONS = 2
/** Clocks may differ by this much when a transfer that left the chain is given up after its hour. */
const GONE_MARGIN_MS = 60_000

type Ports = { clock: Clock; readTransaction: ReadTransaction; checkPast: CheckPast; otherwise: Chain }

/** The referee for transfers; other payments go to `otherwise`. */
export function createTransferChain({ clock, readTransaction, checkPast, otherwise }: Ports): Chain {
  return {
    ready: otherwise.ready,
    async outcome(payment, ...asked) {
      const transfer = findTransferOf(payment)
      if (!transfer) return otherwise.outcome(payment, ...asked)
      const { transaction, position } = transfer
      const mined = await readTransaction(transaction)
      if (mined && standsOnChain(mined, payment, position)) return { kind: 'paid', transaction }
      if (!isGone(payment, clock.now())) return { kind: 'open' }
      if (!mined) await checkPast(minedAtMs(payment))
      return { kind: 'dead' }
    },
  }
}

export function isGone({ validBeforeMs = 0 }: Payment, nowMs: number): boolean {
  return nowMs > validBeforeMs + GONE_MARGIN_MS
}

const standsOnChain = (mined: MinedTransaction, payment: Payment, position: number): boolean =>
  mined.confirmations >= CONFIRMATIONS && isTransferIn(mined, payment, position)

/** Whether the transfer of this payment is in a transaction, at its place. */
export function isTransferIn(
  { succeeded, logs }: MinedTransaction,
  { payer, requirement }: Payment,
  position: number,
): boolean {
  if (!succeeded) return false
  return transfersTo(logs, requirement.payTo).some(
    (transfer) =>
      transfer.position === position &&
      transfer.from === payer &&
      transfer.value === BigInt(requirement.amount),
  )
}
