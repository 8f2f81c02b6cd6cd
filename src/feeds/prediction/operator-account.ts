import type { Activity, Position } from '../../upstreams/polymarket/account-activity.ts'
import type { Aged } from '../../upstreams/source.ts'

/** What the operator's own account did and holds. */
export type OperatorAccount = {
  activity(): Promise<Aged<readonly Activity[]>>
  positions(): Promise<Aged<readonly Position[]>>
}
