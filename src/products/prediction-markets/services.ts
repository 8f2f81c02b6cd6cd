import type { FiveMinuteMarkets } from '../../feeds/prediction/five-minute-markets.ts'
import type { Activity, Position } from '../../upstreams/polymarket/account-activity.ts'
import type { PredictionMarket } from '../../upstreams/polymarket/prediction-market.ts'
import type { Aged } from '../../upstreams/source.ts'
import type { SignalServices } from '../signals/services.ts'

/** What the venue lists, read every five minutes. */
export type MarketList = {
  /** The last whole list; undefined until there is one. */
  last(): Aged<readonly PredictionMarket[]> | undefined
  /** When the next one is due. */
  nextMs(): number
  /** Why there is none, or why it is old. */
  missing(): string
}

/** What the operator's own account did and holds. Undefined where no account is configured. */
export type OperatorAccount = {
  activity(): Promise<Aged<readonly Activity[]>>
  positions(): Promise<Aged<readonly Position[]>>
}

export type PredictionServices = SignalServices & {
  fiveMinute: Pick<FiveMinuteMarkets, 'open' | 'missing'>
  list: MarketList
  account: OperatorAccount | undefined
}
