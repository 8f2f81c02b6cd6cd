import { createBoundedCache } from '../../core/bounded-cache.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { PaymentRow } from '../../ledger/ports/payment-book.ts'
import type { Payment } from './payment.ts'

/**
 * To whom bought replies went. All of a payment stands on the chain once it is settled, so anybody can put its header
 * together again. Until its reply has reached somebody, whoever sends it gets it: a buyer may come back from another
 * address. From then on it goes to that customer, to the one who came first with the payment, when no chain had it yet,
 * and to who names its identifier, which no chain tells. Where nobody here knows who came first, because another process
 * sold it, everybody gets it: the first to come now may be a reader of the chain, and the buyer would be locked out.
 */
export type HandedOut = {
  /** A payment that nobody has used: whoever sends it now has signed it, or was told it by the one who did. */
  noteBuyer(client: string, payment: Payment): void
  /** What to tell who is none of them. */
  findStranger(client: string, payment: Payment, row: PaymentRow): ServiceError | undefined
  /** All of the reply has left for this client. */
  note(client: string, row: PaymentRow): void
}

/** About 4 MB each. The oldest are forgotten first, and all of them with the process: hours later a price is worth nothing. */
const REMEMBERED = 20_000

export function createHandedOut({ customerOf }: { customerOf: (client: string) => string }): HandedOut {
  const buyers = createBoundedCache<string, string>({ capacity: REMEMBERED })
  const receivers = createBoundedCache<string, string>({ capacity: REMEMBERED })
  return {
    noteBuyer(client, { key }) {
      if (buyers.get(key) === undefined) buyers.set(key, customerOf(client))
    },
    findStranger(client, payment, row) {
      const [buyer, receiver] = [buyers.get(row.key), receivers.get(row.key)]
      if (buyer === undefined || receiver === undefined) return undefined
      const isTheirs = [buyer, receiver].includes(customerOf(client))
      const isNamed = row.identifier !== undefined && payment.identifier === row.identifier
      return isTheirs || isNamed ? undefined : givenToAnother()
    },
    note(client, { key }) {
      if (receivers.get(key) === undefined) receivers.set(key, customerOf(client))
    },
  }
}

const givenToAnother = () =>
  new ServiceError('payment_already_used', 'what this payment bought was delivered to another address', {
    hint: 'if it was yours, sign in with the wallet that paid and fetch the stored reply; the API guide tells how, under Retrying',
  })
