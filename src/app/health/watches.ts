import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Store } from '../../ledger/ports/store.ts'
import type { FacilitatorPool } from '../../payments/facilitators/facilitators.ts'
import type { Payable } from '../../payments/payable/payable.ts'
import type { Chains } from '../chains.ts'
import { diskDependency } from './disk.ts'
import { facilitatorDependencies } from './facilitators.ts'
import { nodeDependencies } from './nodes.ts'
import { storeDependencies } from './store.ts'
import { usdcDependencies } from './usdc.ts'
import { createWatch, type Dependency, type Watch } from './watch.ts'

type Ports = {
  config: Pick<Config, 'dataDir' | 'databaseUrl'>
  clock: Clock
  log: Log
  store: Pick<Store, 'ping'>
  chains: Pick<Chains, 'base' | 'solana'>
  pool: Pick<FacilitatorPool, 'health' | 'refresh'>
  payable: Payable
}
export type Watches = { disk: Watch; start(): Promise<void>; stop(): void }

/** Everything that is asked in the background whether it is well, so that `/health` has the answer at once. */
export function createWatches({ config, clock, log, store, chains, pool, payable }: Ports): Watches {
  const watch = (dependency: Dependency) => createWatch(dependency, { clock, log })
  const disk = watch(diskDependency(config.dataDir))
  const nodes = nodeDependencies([chains.base, chains.solana]).map(watch)
  const others = [
    ...storeDependencies(config.databaseUrl, store),
    ...facilitatorDependencies(pool, clock),
    ...usdcDependencies(payable),
  ].map(watch)
  const all = [disk, ...nodes, ...others]
  return {
    disk,
    async start() {
      await Promise.all(all.map((each) => each.start()))
    },
    stop() {
      for (const each of all) each.stop()
    },
  }
}
