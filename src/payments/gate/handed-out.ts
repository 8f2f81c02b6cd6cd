import { createBoundedCache } from '../../core/bounded-cache.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { PaymentRow } from '../../ledger/ports/payment-book.ts'
import type { Payment } from './payment.ts'

/**
 * To whom bought replies went. All of a payment stands on the chain once it is settled, so anybody can put its header
 * together again. Until its reply has reached somebody, whoever sends it gets it: a buyer may come back from another
 * address. From then on it goes to the same customer, or to who names the payment's identifier, which no chain tells.
 */
export type HandedOut = {
  /** What to tell who is neither. */
  findStranger(client: string, payment: Payment, row: PaymentRow): ServiceError | undefined
  /** All of the reply has left for this client. */
  note(client: string, row: PaymentRow): void
}

/** About 20 MB; the oldest are forgotten first, and all of them with the process. */
const REMEMBERED = 100_000

export function createHandedOut({ customerOf }: { customerOf: (client: string) => string }): HandedOut {
  const customers = createBoundedCache<string, string>({ capacity: REMEMBERED })
  return {
    findStranger(client, payment, row) {
      const customer = customers.get(row.key)
      if (customer === undefined || customer === customerOf(client)) return undefined
      const isNamed = row.identifier !== undefined && payment.identifier === row.identifier
      return isNamed ? undefined : givenToAnother()
    },
    note(client, { key }) {
      if (customers.get(key) === undefined) customers.set(key, customerOf(client))
    },
  }
}

const givenToAnother = () =>
  new ServiceError('payment_already_used', 'what this payment bought was delivered to another address', {
    hint: 'if it was yours, sign in with the wallet that paid: GET /account/receipts lists what it bought, and the replies',
  })
