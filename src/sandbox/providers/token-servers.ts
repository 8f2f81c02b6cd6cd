import type { TokenWorld } from '../tokens/token-world.ts'
import { createDexScreenerServer } from './dexscreener/dexscreener.ts'
import { createGeckoTerminalServer } from './geckoterminal/geckoterminal.ts'
import { createGoPlusServer } from './goplus/goplus.ts'
import { createHoneypotServer } from './honeypot/honeypot.ts'
import { NOBODY, type ProviderServer } from './provider-server.ts'
import { createTokenMarket } from './token-market.ts'

type TokenProvider = 'geckoterminal' | 'dexscreener' | 'goplus' | 'honeypot'

/** Those who tell of tokens: the same tokens at the same prices, each in its own words. */
export function createTokenServers(
  tokens: TokenWorld | undefined,
  nowMs: () => number,
): Record<TokenProvider, ProviderServer> {
  if (!tokens) return { geckoterminal: NOBODY, dexscreener: NOBODY, goplus: NOBODY, honeypot: NOBODY }
  const market = createTokenMarket(tokens, nowMs)
  return {
    geckoterminal: createGeckoTerminalServer(market),
    dexscreener: createDexScreenerServer(market),
    goplus: createGoPlusServer(market),
    honeypot: createHoneypotServer(market),
  }
}
