import type { RateCounters } from '../../../catalog/rate-limit.ts'
import type { ServiceError } from '../../../core/service-error.ts'
import { unseen } from '../failures.ts'
import type { Payment } from '../payment.ts'
import { type Budget, createFailedPayments } from './failed-payments.ts'
import { LOOKS_AT_UNSEEN, UNSEEN_BY_CLIENT, UNSEEN_BY_CUSTOMER, UNSEEN_BY_PAYER } from './limits.ts'
import { unseenOften } from './too-many.ts'

/**
 * Payments that a facilitator calls used and our node does not show. Their payer may have been charged, so they fail
 * nobody's budget and can always be sent again; but each time costs a check and a search of the chain, so most of those
 * that come within seconds are answered without one.
 */
export type UnseenPayments = {
  count(client: string, payment: Payment): Promise<void>
  /** `client`: undefined where he does not answer for it, because the wallet has bought lately. */
  findOver(client: string | undefined, payment: Payment): Promise<ServiceError | undefined>
}
type Ports = { counters: RateCounters; customerOf: (client: string) => string }

const UNSEEN: Budget = {
  byClient: UNSEEN_BY_CLIENT,
  byCustomer: UNSEEN_BY_CUSTOMER,
  byPayer: UNSEEN_BY_PAYER,
  // Nobody has looked at this one: it is not for us to say that it was charged.
  tellClient: unseenOften,
  tellPayer: ({ resetS }) => unseen(resetS),
}

export function createUnseenPayments(ports: Ports): UnseenPayments {
  const { counters } = ports
  const looks = createFailedPayments(ports, UNSEEN)
  return {
    async count(client, { key, payer }) {
      await Promise.all([counters.take(LOOKS_AT_UNSEEN, key), looks.count({ client, payer })])
    },
    async findOver(client, { key, payer }) {
      const { isOver, resetS } = await counters.look(LOOKS_AT_UNSEEN, key)
      if (isOver) return unseen(resetS)
      const over = await looks.findOverPayer(payer)
      return over ?? (client === undefined ? undefined : looks.findOverClient(client))
    },
  }
}
