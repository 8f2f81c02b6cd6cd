import type { FacilitatorPool } from '../../payments/facilitators/facilitators.ts'
import { isAble } from '../../payments/facilitators/monitored-facilitator.ts'
import { type Dependency, ShownFault } from './watch.ts'

const EVERY_MS = 5_000

/** Calls nobody: the pool asks them, in a rhythm of its own. */
export function facilitatorDependencies(pool: Pick<FacilitatorPool, 'health'>): Dependency[] {
  return pool.health().map(({ name }, index) => ({
    name: 'facilitator',
    where: { host: name },
    trouble: 'does not answer',
    everyMs: EVERY_MS,
    async probe() {
      const { supportedFault, lastFault, networks = [] } = pool.health()[index] ?? {}
      if (supportedFault !== undefined) throw new ShownFault(supportedFault)
      if (!isAble({ networks })) throw new ShownFault(lastFault ?? 'it settles on none of our networks')
    },
  }))
}
