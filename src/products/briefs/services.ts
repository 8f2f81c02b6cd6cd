import type { MarketList } from '../../feeds/prediction/list/market-list.ts'
import type { DerivativesDesk } from '../../intel/derivatives/derivatives-desk.ts'
import type { Sentiment } from '../../intel/sentiment/sentiment.ts'
import type { WhaleWatch } from '../../intel/whales/whale-watch.ts'
import type { SignalServices } from '../signals/services.ts'

/** The same parts that are sold one by one, read from memory. */
export type BriefServices = SignalServices & {
  sentiment: Pick<Sentiment, 'composite' | 'fearGreed' | 'regime' | 'wholeMarket' | 'changes'>
  whales: Pick<WhaleWatch, 'trades' | 'flow' | 'version'>
  derivatives: Pick<DerivativesDesk, 'overview' | 'perpetual' | 'liquidations' | 'volatility' | 'version'>
  list: MarketList
}
