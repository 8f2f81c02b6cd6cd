import { createBoundedCache } from '../../core/bounded-cache.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { PaymentRow } from '../../ledger/ports/payment-book.ts'
import { othersSendFromMs } from './collect.ts'
import { inProgress } from './failures.ts'
import type { Payment } from './payment.ts'
import type { SharedCustomers } from './shared-customers.ts'

/**
 * To whom bought replies went. All of a payment stands on the chain once it is settled, so anybody can put its header
 * together again. Until its reply has reached somebody, whoever sends it gets it: a buyer may come back from another
 * address. From then on it goes to that customer, to the one who came first with the payment, when no chain had it yet,
 * and to who names its identifier, which no chain tells. Where nobody knows who came first, everybody gets it: the first
 * to come now may be a reader of the chain, and the buyer would be locked out.
 */
export type HandedOut = {
  /** A payment that nobody has used: whoever sends it now has signed it, or was told it by the one who did. */
  noteBuyer(client: string, payment: Payment): void
  /** Its reply is made, and money moves next: other processes are told who buys. Not before, since signing is free. */
  shareBuyer(client: string, payment: Payment): void
  /** What to tell who is none of them. Rejects where it may still be on its way to its buyer. */
  findStranger(client: string, payment: Payment, row: PaymentRow): Promise<ServiceError | undefined>
  /** All of the reply has left for this client. Not called for one who had ended his side by then: nobody knows whether he reads. */
  note(client: string, row: PaymentRow): void
}

type Ports = {
  customerOf: (client: string) => string
  /** What other processes know. Absent: there are none. */
  others?: { customers: SharedCustomers; clock: Pick<Clock, 'now'> } | undefined
}

/** About 4 MB each. The oldest are forgotten first, and all of them with the process: hours later a price is worth nothing. */
const REMEMBERED = 20_000

/**
 * Where others sell too, so long after one of them has seen a payment on the chain its seller may still be sending the
 * reply. A reader of the chain who is quicker waits meanwhile, as he would where one process sells.
 */
const SELLER_FIRST_MS = 5_000

export function createHandedOut({ customerOf, others }: Ports): HandedOut {
  const buyers = createBoundedCache<string, string>({ capacity: REMEMBERED })
  const receivers = createBoundedCache<string, string>({ capacity: REMEMBERED })
  return {
    noteBuyer(client, { key }) {
      if (buyers.get(key) === undefined) buyers.set(key, customerOf(client))
    },
    shareBuyer(client, { key }) {
      others?.customers.note(key, 'buyer', buyers.get(key) ?? customerOf(client))
    },
    async findStranger(client, payment, row) {
      const [buyer, receiver] = [buyers.get(row.key), receivers.get(row.key)]
      const customer = customerOf(client)
      const isNamed = row.identifier !== undefined && payment.identifier === row.identifier
      if (isNamed || buyer === customer || receiver === customer) return undefined
      // Also where it would be refused here: he may have bought, or got it, at another process.
      const shared = await others?.customers.compare(row.key, customer)
      if (shared?.isBuyer || shared?.isReceiver) return undefined
      const isBuyerKnown = buyer !== undefined || shared?.isBuyer === false
      const hasLeft = receiver !== undefined || shared?.isReceiver === false
      if (isBuyerKnown && hasLeft) return givenToAnother()
      if (others && shared?.isBuyer === false && isAtSeller(others.clock, row)) throw inProgress()
      return undefined
    },
    note(client, { key }) {
      if (receivers.get(key) !== undefined) return
      receivers.set(key, customerOf(client))
      others?.customers.note(key, 'receiver', customerOf(client))
    },
  }
}

/** Before its time is over the seller may not even know: it waits for its facilitator. */
const isAtSeller = (clock: Pick<Clock, 'now'>, row: PaymentRow): boolean =>
  clock.now() < Math.max((row.settledAtMs ?? 0) + SELLER_FIRST_MS, othersSendFromMs(row))

const givenToAnother = () =>
  new ServiceError('payment_already_used', 'what this payment bought was delivered to another address', {
    hint: 'if it was yours, sign in with the wallet that paid and fetch the stored reply; the API guide tells how, under Retrying',
  })
