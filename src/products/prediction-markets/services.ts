import type { OperatorAccount } from '../../feeds/prediction/account/operator-account.ts'
import type { FiveMinuteMarkets } from '../../feeds/prediction/five-minute-markets.ts'
import type { MarketList } from '../../feeds/prediction/list/market-list.ts'
import type { SignalServices } from '../signals/services.ts'

export type PredictionServices = SignalServices & {
  fiveMinute: Pick<FiveMinuteMarkets, 'open' | 'missing' | 'market'>
  list: MarketList
  /** Undefined where no account is configured. */
  account: OperatorAccount | undefined
}
