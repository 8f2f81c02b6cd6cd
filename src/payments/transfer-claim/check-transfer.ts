import type { Requirement } from '../../catalog/payment-terms.ts'
import { TRANSFER_PRICE } from '../../products/payments/services.ts'
import type { MinedTransaction } from './read-transaction.ts'
import { forbidden, notYet, refused } from './refusals.ts'
import { CONFIRMATIONS } from './transfer-chain.ts'
import { type Transfer, transfersTo } from './transfers.ts'

/** The largest amount that the ledger can hold. */
const LARGEST = 10n ** 18n - 1n

export type Usable = { transfers: readonly Transfer[]; blockTimeMs: number }

/** The transfers of a transaction that this wallet may claim; throws the reason where there are none. */
export function findUsable(
  mined: MinedTransaction | undefined,
  wallet: string,
  { payTo }: Requirement,
): Usable {
  if (!mined) throw notYet('no block holds this transaction')
  if (!mined.succeeded) throw refused('the transaction failed')
  const toUs = transfersTo(mined.logs, payTo)
  if (toUs.length === 0) throw refused('the transaction moves no USDC to the operator')
  const own = toUs.filter(({ from }) => from === wallet)
  if (own.length === 0) throw forbidden('the transfer was sent by another wallet')
  const plain = own.filter(({ byAuthorization }) => !byAuthorization)
  if (plain.length === 0)
    throw refused(
      'the transfer was made by a signed authorization',
      'present that authorization as an x402 payment',
    )
  const transfers = plain.filter(({ value }) => value >= TRANSFER_PRICE && value <= LARGEST)
  if (transfers.length === 0) throw refused('the transfer is below 0.10 USDC')
  if (mined.confirmations < CONFIRMATIONS)
    throw notYet(`the transfer has ${mined.confirmations} of ${CONFIRMATIONS} confirmations`)
  return { transfers, blockTimeMs: mined.blockTimeMs }
}
