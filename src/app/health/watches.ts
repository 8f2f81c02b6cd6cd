import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { FacilitatorPool } from '../../payments/facilitators/facilitators.ts'
import type { PaymentRails } from '../payment-rails.ts'
import { diskDependency } from './disk.ts'
import { facilitatorDependencies } from './facilitators.ts'
import { nodeDependencies } from './nodes.ts'
import { createWatch, type Dependency, type Watch } from './watch.ts'

type Ports = {
  config: Pick<Config, 'dataDir' | 'mode'>
  clock: Clock
  log: Log
  money: Pick<PaymentRails, 'rpc'>
  pool: Pick<FacilitatorPool, 'health'>
}
export type Watches = { disk: Watch; nodes: readonly Watch[]; start(): Promise<void>; stop(): void }

/** Everything that is asked in the background whether it is well, so that `/health` has the answer at once. */
export function createWatches({ config, clock, log, money, pool }: Ports): Watches {
  const watch = (dependency: Dependency) => createWatch(dependency, { clock, log })
  const disk = watch(diskDependency(config.dataDir))
  const nodes = nodeDependencies(money.rpc, config.mode).map(watch)
  const all = [disk, ...nodes, ...facilitatorDependencies(pool).map(watch)]
  return {
    disk,
    nodes,
    async start() {
      await Promise.all(all.map((each) => each.start()))
    },
    stop() {
      for (const each of all) each.stop()
    },
  }
}
