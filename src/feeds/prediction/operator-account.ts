import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'
import type { Activity, Position } from '../../upstreams/polymarket/account-activity.ts'
import { type Aged, createSource } from '../../upstreams/source.ts'

/** What the operator's own account did and holds. */
export type OperatorAccount = {
  activity(): Promise<Aged<readonly Activity[]>>
  positions(): Promise<Aged<readonly Position[]>>
}

/** What the venue publishes about accounts. */
export type AccountData = {
  activity(wallet: string): Promise<readonly Activity[]>
  positions(wallet: string): Promise<readonly Position[]>
}

/** The venue needs some seconds itself to show a fill. */
const AGES = { softMs: 15 * SECOND_MS, hardMs: 5 * MINUTE_MS }

type Ports = { clock: Clock; random: () => number; data: AccountData; wallet: string }

/** Read when somebody asks, and then at most four times a minute. */
export function createOperatorAccount({ clock, random, data, wallet }: Ports): OperatorAccount {
  const activity = createSource({ ...AGES, clock, random, fetch: () => data.activity(wallet) })
  const positions = createSource({ ...AGES, clock, random, fetch: () => data.positions(wallet) })
  return { activity: activity.read, positions: positions.read }
}
