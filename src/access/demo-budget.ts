import type { DemoBudget } from '../payments/gate/gate.ts'
import type { CallCounts } from './call-counts.ts'

/** Key of the count over all clients; no address looks like it. */
const EVERYBODY = '*'

export type DemoLimits = { perClientPerDay: number; totalPerDay: number }
type Options = DemoLimits & { counts: CallCounts }

/** Free calls per client and UTC day, with a cap over all clients. */
export function createDemoBudget({ counts, perClientPerDay, totalPerDay }: Options): DemoBudget {
  const remaining = (client: string) => Math.max(0, perClientPerDay - counts.used(client))
  return {
    limit: perClientPerDay,
    remaining,
    take(client) {
      const call = counts.take([
        [client, perClientPerDay],
        [EVERYBODY, totalPerDay],
      ])
      return call && { ...call, remaining: remaining(client) }
    },
  }
}
