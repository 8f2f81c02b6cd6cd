import type { DemoBudget } from '../payments/gate/gate.ts'
import type { CallCounts } from './call-counts.ts'
import { customerOf } from './client-key.ts'

/** Key of the count over all clients; no address looks like it. */
const EVERYBODY = '*'

/** Lines of one IPv6 customer have so many times what one line has: nobody takes the total of all with them. */
const LINES_OF_A_CUSTOMER = 4

export type DemoLimits = { perClientPerDay: number; totalPerDay: number }
type Options = DemoLimits & { counts: CallCounts }

/** Free calls per client and UTC day, with a cap over the lines of a customer and one over all clients. */
export function createDemoBudget({ counts, perClientPerDay, totalPerDay }: Options): DemoBudget {
  const limitsOf = (client: string): readonly (readonly [key: string, limit: number])[] => {
    const customer = customerOf(client)
    const ofAll = [EVERYBODY, totalPerDay] as const
    if (customer === client) return [[client, perClientPerDay], ofAll]
    return [[client, perClientPerDay], [customer, LINES_OF_A_CUSTOMER * perClientPerDay], ofAll]
  }
  const remaining = (client: string) =>
    Math.max(0, Math.min(...limitsOf(client).map(([key, limit]) => limit - counts.used(key))))
  return {
    limit: perClientPerDay,
    remaining,
    take(client) {
      const call = counts.take(limitsOf(client))
      return call && { ...call, remaining: remaining(client) }
    },
  }
}
