import { orNotFound } from '../rules/or-not-found.ts'
import { contractPart, contractParts, poolIdPart } from '../rules/path-parts.ts'
import { type Upstream, UpstreamError } from '../upstream.ts'
import { type GeckoTokenInfo, TokenInfoReply } from './info-wire.ts'
import { type GeckoPools, PoolsReply } from './pool-wire.ts'
import {
  CandlesReply,
  type GeckoCandle,
  type GeckoPrice,
  type GeckoToken,
  PricesReply,
  TokenReply,
} from './wire.ts'

const NETWORK = 'base'
export const MAX_PRICE_ADDRESSES = 30
const MAX_CANDLES = 1_000

export type TrendingDuration = '5m' | '1h' | '6h' | '24h'
export type CandlesQuery = {
  timeframe: 'minute' | 'hour' | 'day'
  /** Candles of the timeframe in one: 1, 5 or 15 minutes, 1, 4 or 12 hours, one day. */
  aggregate?: 1 | 4 | 5 | 12 | 15
  limit?: number
  /** Only candles that open before it. */
  beforeS?: number
  /** Whose price it is; the base token's by default. */
  token?: 'base' | 'quote'
}

/** Pools and tokens of Base, as GeckoTerminal tells of them. */
export type GeckoTerminal = {
  /** Most wanted first. */
  trendingPools(duration: TrendingDuration): Promise<GeckoPools>
  /** Tokens without a price are left out. Keys are in lower case. */
  tokenPrices(addresses: readonly string[]): Promise<ReadonlyMap<string, GeckoPrice>>
  token(address: string): Promise<GeckoToken | undefined>
  tokenInfo(address: string): Promise<GeckoTokenInfo | undefined>
  /** Oldest first, in dollars; undefined where there is no such pool. */
  poolCandles(pool: string, query: CandlesQuery): Promise<readonly GeckoCandle[] | undefined>
}

export function createGeckoTerminal({ ask }: Pick<Upstream, 'ask'>): GeckoTerminal {
  const network = `/networks/${NETWORK}`
  return {
    async trendingPools(duration) {
      const query = { duration, include: 'base_token,quote_token,dex' }
      const { pools, skipped } = await ask({ path: `${network}/trending_pools`, query, schema: PoolsReply })
      return { pools: pools.filter((pool) => pool.network === NETWORK), skipped }
    },
    async tokenPrices(addresses) {
      const path = `/simple${network}/token_price/${contractParts(addresses, MAX_PRICE_ADDRESSES)}`
      const query = {
        include_market_cap: true,
        include_24hr_vol: true,
        include_24hr_price_change: true,
        include_total_reserve_in_usd: true,
      }
      return ask({ path, query, schema: PricesReply })
    },
    async token(address) {
      const part = contractPart(address)
      return ownToken(part, await orNotFound(ask({ path: `${network}/tokens/${part}`, schema: TokenReply })))
    },
    async tokenInfo(address) {
      const part = contractPart(address)
      const path = `${network}/tokens/${part}/info`
      return ownToken(part, await orNotFound(ask({ path, schema: TokenInfoReply })))
    },
    async poolCandles(pool, { timeframe, aggregate = 1, limit = MAX_CANDLES, beforeS, token = 'base' }) {
      const path = `${network}/pools/${poolIdPart(pool)}/ohlcv/${timeframe}`
      const query = {
        aggregate,
        limit: Math.min(limit, MAX_CANDLES),
        before_timestamp: beforeS,
        currency: 'usd',
        token,
      }
      return orNotFound(ask({ path, query, schema: CandlesReply }))
    },
  }
}

/** What was said of another token must not be sold as if it were said of this one. */
function ownToken<T extends { network: string; address: string }>(
  address: string,
  token: T | undefined,
): T | undefined {
  if (!token || (token.network === NETWORK && token.address === address)) return token
  throw new UpstreamError('malformed', 'a reply about another token')
}
