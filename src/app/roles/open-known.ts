import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Store } from '../../ledger/ports/store.ts'
import { type Engine, openEngine } from '../engine.ts'
import type { OutsideWorld } from '../outside-world.ts'
import { type FollowedEngine, followEngine } from './followed-engine.ts'
import type { Known } from './known.ts'

type Ports = { config: Config; world: OutsideWorld; store: Store; clock: Clock; log: Log }
/** Either this process follows the market by itself, or it hears of it. */
export type OpenKnown = { known: Known } & (
  | { own: Engine; followed: undefined }
  | { own: undefined; followed: FollowedEngine }
)

export async function openKnown(ports: Ports): Promise<OpenKnown> {
  if (ports.config.role === 'api') {
    const followed = await followEngine(ports)
    return { known: followed, own: undefined, followed }
  }
  const own = await openEngine(ports)
  return { known: own, own, followed: undefined }
}
