import type { Coin } from '../../core/coin.ts'
import type { PerpetualVenue } from '../perpetuals/perpetual-venue.ts'
import type { Upstream } from '../upstream.ts'
import { FundingHistoryReply, OpenInterestHistoryReply, TickersReply } from './wire.ts'

const category = 'linear'
const PAST_HOURS = 26
/** As many as the venue gives at once. */
const MAX_FUNDINGS = 200
/** No venue settles more often than every hour; where it is less often, older ones come along. */
const MAX_PER_DAY = 24

/** Perpetuals in USDT at Bybit. */
export function createBybit({ ask }: Pick<Upstream, 'ask'>): PerpetualVenue {
  return {
    perpetuals: () => ask({ path: '/v5/market/tickers', query: { category }, schema: TickersReply }),
    settledFundings: (coin, days) =>
      ask({
        path: '/v5/market/funding/history',
        query: {
          category,
          symbol: symbolOf(coin),
          limit: Math.min(MAX_FUNDINGS, Math.ceil(days * MAX_PER_DAY)),
        },
        schema: FundingHistoryReply,
      }),
    pastOpenInterest: (coin) =>
      ask({
        path: '/v5/market/open-interest',
        query: { category, symbol: symbolOf(coin), intervalTime: '1h', limit: PAST_HOURS },
        schema: OpenInterestHistoryReply,
      }),
  }
}

const symbolOf = (coin: Coin) => `${coin}USDT`
