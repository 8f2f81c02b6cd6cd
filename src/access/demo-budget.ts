import { ServiceError } from '../core/service-error.ts'
import type { CallLimit } from '../ledger/ports/demo-counters.ts'
import type { DemoBudget } from '../payments/gate/gate.ts'
import type { CallCounts, CountedCall } from './call-counts.ts'
import { customerOf } from './client-key.ts'

/** Key of the count over all clients; no address looks like it. */
const EVERYBODY = '*'

/** Lines of one IPv6 customer have so many times what one line has: nobody takes the total of all with them. */
const LINES_OF_A_CUSTOMER = 4

export type DemoLimits = { perClientPerDay: number; totalPerDay: number }
type Options = DemoLimits & { counts: CallCounts }

/** Free calls per client and UTC day, with a cap over the lines of a customer and one over all clients. */
export function createDemoBudget({ counts, perClientPerDay, totalPerDay }: Options): DemoBudget {
  const limitsOf = (client: string): readonly CallLimit[] => {
    const customer = customerOf(client)
    const ofAll = [EVERYBODY, totalPerDay] as const
    if (customer === client) return [[client, perClientPerDay], ofAll]
    return [[client, perClientPerDay], [customer, LINES_OF_A_CUSTOMER * perClientPerDay], ofAll]
  }
  if (perClientPerDay === 0) return { limit: 0, remaining: async () => 0, take: async () => undefined }
  return {
    limit: perClientPerDay,
    async remaining(client) {
      const limits = limitsOf(client)
      // Where nobody can count there is no free call to be had.
      return counts.used(limits.map(([key]) => key)).then(
        (used) => leftOf(limits, used),
        () => 0,
      )
    },
    async take(client) {
      const limits = limitsOf(client)
      const { call, used } = await counts.take(limits).catch(noneIfLost)
      return call && { ...call, remaining: leftOf(limits, used) }
    },
  }
}

/** Nothing is given away that nobody counts; and who is told the price can still pay. */
function noneIfLost(error: unknown): CountedCall {
  if (error instanceof ServiceError && error.code === 'counters_unavailable')
    return { call: undefined, used: [] }
  throw error
}

const leftOf = (limits: readonly CallLimit[], used: readonly number[]): number =>
  Math.max(0, Math.min(...limits.map(([, limit], at) => limit - (used[at] ?? 0))))
