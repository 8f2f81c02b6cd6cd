import type { RateCount, RateCounters, RateLimit } from '../../../catalog/rate-limit.ts'
import type { ServiceError } from '../../../core/service-error.ts'
import {
  FAILED_BY_CLIENT,
  FAILED_BY_CUSTOMER,
  FAILED_BY_PAYER,
  UNSOLD_BY_CLIENT,
  UNSOLD_BY_CUSTOMER,
  UNSOLD_BY_PAYER,
} from './limits.ts'
import { clientFailedOften, payerFailedOften, unsoldOften } from './too-many.ts'

/** Who is to answer for a failed payment. A payer is named only where the signature is proven to be his. */
export type Failed = { client: string; payer?: string | undefined }

/** Payments that came to nothing, counted when that is known. */
export type FailedPayments = {
  /** Returns what takes it back, for one that was paid after all. */
  count(failed: Failed): Promise<TakeBack>
  findOverClient(client: string): Promise<ServiceError | undefined>
  findOverPayer(payer: string): Promise<ServiceError | undefined>
}
export type TakeBack = () => Promise<void>
type Ports = { counters: RateCounters; customerOf: (client: string) => string }
/** How many are too many, and what to say then. */
export type Budget = {
  byClient: RateLimit
  byCustomer: RateLimit
  byPayer: RateLimit
  tellClient: (over: RateCount) => ServiceError
  tellPayer: (over: RateCount) => ServiceError
}

export const FAILED: Budget = {
  byClient: FAILED_BY_CLIENT,
  byCustomer: FAILED_BY_CUSTOMER,
  byPayer: FAILED_BY_PAYER,
  tellClient: clientFailedOften,
  tellPayer: payerFailedOften,
}
export const UNSOLD: Budget = {
  byClient: UNSOLD_BY_CLIENT,
  byCustomer: UNSOLD_BY_CUSTOMER,
  byPayer: UNSOLD_BY_PAYER,
  tellClient: unsoldOften,
  tellPayer: unsoldOften,
}
type Counter = readonly [limit: RateLimit, key: string]

export function createFailedPayments({ counters, customerOf }: Ports, budget: Budget): FailedPayments {
  const { byClient, byCustomer, byPayer, tellClient, tellPayer } = budget
  const countersOf = ({ client, payer }: Failed): Counter[] => {
    const customer = customerOf(client)
    return [
      [byClient, client],
      ...(customer === client ? [] : ([[byCustomer, customer]] as const)),
      ...(payer === undefined ? [] : ([[byPayer, payer]] as const)),
    ]
  }
  const findOver = async (over: readonly Counter[]) => {
    const counts = await Promise.all(over.map(([limit, key]) => counters.look(limit, key)))
    return counts.find(({ isOver }) => isOver)
  }
  return {
    async count(failed) {
      const giveBacks = await Promise.all(
        countersOf(failed).map(async ([limit, key]) => {
          const taken = await counters.take(limit, key)
          return () => counters.giveBack(limit, key, taken)
        }),
      )
      return async () => void (await Promise.all(giveBacks.map((giveBack) => giveBack())))
    },
    async findOverClient(client) {
      const over = await findOver(countersOf({ client }))
      return over && tellClient(over)
    },
    async findOverPayer(payer) {
      const over = await findOver([[byPayer, payer]])
      return over && tellPayer(over)
    },
  }
}
