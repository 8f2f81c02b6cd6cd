import type { z } from 'zod'
import { PairsReply } from '../../upstreams/dexscreener/wire.ts'
import { TokenInfoReply } from '../../upstreams/geckoterminal/info-wire.ts'
import { PoolsReply } from '../../upstreams/geckoterminal/pool-wire.ts'
import { CandlesReply, PricesReply, TokenReply } from '../../upstreams/geckoterminal/wire.ts'
import { SecurityReply } from '../../upstreams/goplus/wire.ts'
import { SimulationReply } from '../../upstreams/honeypot/wire.ts'
import { parseWire } from '../../upstreams/wire/reply.ts'
import type { Parser } from './mutation-search.ts'
import {
  dexPair,
  geckoCandles,
  geckoInfo,
  geckoPools,
  geckoPrices,
  geckoToken,
  securityReply,
  simulation,
} from './token-payloads.ts'

const reply =
  (schema: z.ZodType): Parser =>
  (json) =>
    parseWire(schema, json, 'reply')

/** What reads each recorded reply. The `/onchain` addresses of CoinGecko answer as GeckoTerminal does. */
export const PARSERS: Readonly<Record<string, Parser>> = {
  'recorded/geckoterminal/new_pools_solana.json': reply(PoolsReply),
  'recorded/geckoterminal/pool_ohlcv.json': reply(CandlesReply),
  'recorded/dexscreener/tokens_v1.json': reply(PairsReply),
  'recorded/goplus/token_security_bsc.json': reply(SecurityReply),
  'recorded/honeypot-is/is_honeypot_clean_univ3.json': reply(SimulationReply),
  'from-docs/coingecko/onchain_ohlcv.json': reply(CandlesReply),
  'from-docs/coingecko/onchain_simple_token_price.json': reply(PricesReply),
  'from-docs/coingecko/onchain_token.json': reply(TokenReply),
  'from-docs/coingecko/onchain_token_info.json': reply(TokenInfoReply),
  'from-docs/coingecko/onchain_token_pools.json': reply(PoolsReply),
  'from-docs/coingecko/onchain_trending_pools.json': reply(PoolsReply),
  'from-docs/coingecko/onchain_trending_pools_all.json': reply(PoolsReply),
}

/** Recorded replies that nothing reads, and why. */
export const UNREAD: Readonly<Record<string, string>> = {
  'from-docs/coingecko/onchain_pool.json': 'single pools are not asked for',
}

/** Replies of our own, named after the recorded ones. */
export const OWN_REPLIES: Readonly<Record<string, unknown>> = {
  'recorded/geckoterminal/new_pools_solana.json': geckoPools(),
  'recorded/geckoterminal/pool_ohlcv.json': geckoCandles(),
  'recorded/dexscreener/tokens_v1.json': [dexPair(), dexPair({ liquidity: undefined, priceChange: {} })],
  'recorded/goplus/token_security_bsc.json': securityReply(),
  'recorded/honeypot-is/is_honeypot_clean_univ3.json': simulation(),
  'from-docs/coingecko/onchain_simple_token_price.json': geckoPrices(),
  'from-docs/coingecko/onchain_token.json': geckoToken(),
  'from-docs/coingecko/onchain_token_info.json': geckoInfo(),
}
