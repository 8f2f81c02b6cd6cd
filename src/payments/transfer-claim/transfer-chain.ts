import type { Clock } from '../../core/time/clock.ts'
import type { Payment } from '../gate/payment.ts'
import type { Chain, ChainOutcome } from '../gate/ports.ts'
import type { ReadTransaction } from './read-transaction.ts'
import { findTransferOf } from './transfer-payment.ts'
import { transfersTo } from './transfers.ts'

/** Its own block and one more, about four seconds; on Base only one block was ever reorganised. */
export const CONFIRMATIONS = 2
/** Clocks may differ by this much when a transfer that left the chain is given up after its hour. */
const GONE_MARGIN_MS = 60_000

type Ports = { clock: Clock; readTransaction: ReadTransaction; otherwise: Chain }

/** The referee for transfers; other payments go to `otherwise`. */
export function createTransferChain({ clock, readTransaction, otherwise }: Ports): Chain {
  return {
    async outcome(payment, hint) {
      const transfer = findTransferOf(payment)
      if (!transfer) return otherwise.outcome(payment, hint)
      const { transaction, position } = transfer
      const stands = await standsOnChain(readTransaction, payment, transaction, position)
      if (stands) return { kind: 'paid', transaction }
      return isGone(payment, clock.now())
    },
  }
}

function isGone({ validBeforeMs = 0 }: Payment, nowMs: number): ChainOutcome {
  return { kind: nowMs > validBeforeMs + GONE_MARGIN_MS ? 'dead' : 'open' }
}

async function standsOnChain(
  readTransaction: ReadTransaction,
  { payer, requirement }: Payment,
  transaction: string,
  position: number,
): Promise<boolean> {
  const mined = await readTransaction(transaction)
  if (!mined?.succeeded || mined.confirmations < CONFIRMATIONS) return false
  return transfersTo(mined.logs, requirement.asset, requirement.payTo).some(
    (transfer) =>
      transfer.position === position &&
      transfer.from === payer &&
      transfer.value === BigInt(requirement.amount),
  )
}
