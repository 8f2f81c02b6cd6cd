import type { RateCounters } from '../../../catalog/rate-limit.ts'
import type { ServiceError } from '../../../core/service-error.ts'
import { unseen } from '../failures.ts'
import type { Payment } from '../payment.ts'
import { LOOKS_AT_UNSEEN, UNSEEN_BY_PAYER } from './limits.ts'

/**
 * Payments that a facilitator calls used and our node does not show. Their payer may have been charged, so they fail
 * nobody's budget and can always be sent again; but each time costs a check and a search of the chain, so most of those
 * that come within seconds are answered without one.
 */
export type UnseenPayments = {
  count(payment: Payment): Promise<void>
  findOver(payment: Payment): Promise<ServiceError | undefined>
}

export function createUnseenPayments({ counters }: { counters: RateCounters }): UnseenPayments {
  const countersOf = ({ key, payer }: Payment) =>
    [
      [LOOKS_AT_UNSEEN, key],
      [UNSEEN_BY_PAYER, payer],
    ] as const
  return {
    async count(payment) {
      await Promise.all(countersOf(payment).map(([limit, key]) => counters.take(limit, key)))
    },
    async findOver(payment) {
      const counts = await Promise.all(countersOf(payment).map(([limit, key]) => counters.look(limit, key)))
      const over = counts.find(({ isOver }) => isOver)
      return over && unseen(over.resetS)
    },
  }
}
