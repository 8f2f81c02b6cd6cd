import type { ProviderName } from '../../config/providers.ts'
import { createServiceWorld } from '../directory/service-world.ts'
import type { SimulatedMarket } from '../market/simulated-market.ts'
import type { FindChainWallet } from '../tokens/on-chain/chain-wallets.ts'
import type { TokenWorld } from '../tokens/token-world.ts'
import { createBazaarServer } from './bazaar/bazaar.ts'
import { createBinanceFutures } from './binance-futures/binance-futures.ts'
import { createBlockscoutServer } from './blockscout/blockscout.ts'
import { createBybit } from './bybit/bybit.ts'
import { createCoinGeckoServer } from './coingecko/coingecko.ts'
import { createCoinLobsterServer } from './coinlobster/coinlobster.ts'
import { createEcosystemServer } from './ecosystem/ecosystem.ts'
import { createFng } from './fng/fng.ts'
import { createHyperliquid } from './hyperliquid/hyperliquid.ts'
import { createLlmServer, type LlmScript } from './llm/llm.ts'
import { createMempoolServer } from './mempool/mempool.ts'
import { createOkx } from './okx/okx.ts'
import type { ProviderServer } from './provider-server.ts'
import { createSosoValueServer } from './sosovalue/sosovalue.ts'
import { createTokenServers } from './token-servers.ts'

export type IntelInput = {
  market: SimulatedMarket
  tokens: TokenWorld | undefined
  /** Wallets of the local chain; undefined while it does not run. */
  chain: () => FindChainWallet | undefined
  /** How the language model behaves. */
  model: () => LlmScript
}

type IntelProvider = Exclude<
  ProviderName,
  'binance' | 'coinbase' | 'polybolt' | 'gamma' | 'clob' | 'poly_data' | 'poly_web' | 'relayer'
>

/** Who else sells is the same in every sandbox, as it does not depend on prices. */
const SERVICES_SEED = 'services'

/** Those who tell of tokens, wallets, derivatives, moods, whales and other sellers. */
export function createIntelServers({
  market,
  tokens,
  chain,
  model,
}: IntelInput): Record<IntelProvider, ProviderServer> {
  const services = createServiceWorld(SERVICES_SEED)
  return {
    ...createTokenServers(tokens, market.nowMs),
    blockscout: createBlockscoutServer(market, tokens, chain),
    coingecko: createCoinGeckoServer(market),
    fng: createFng(market),
    binance_futures: createBinanceFutures(market),
    bybit: createBybit(market),
    okx: createOkx(market),
    hyperliquid: createHyperliquid(market),
    mempool: createMempoolServer(market, tokens),
    coinlobster: createCoinLobsterServer(market, tokens),
    sosovalue: createSosoValueServer(market),
    bazaar: createBazaarServer(market, services),
    ecosystem: createEcosystemServer(services),
    llm: createLlmServer(model, market.nowMs),
  }
}
