import { MINUTE_MS, SECOND_MS } from '../core/time/time.ts'

/**
 * Where one of a provider's services is reached: publicly, and below `/<provider>` of the sandbox. What has no public
 * address is called only where one is configured.
 */
type UpstreamDeclaration = { url?: `${'https' | 'wss'}://${string}`; sandboxPath: '' | `/${string}` }
type ProviderDeclaration = {
  title: string
  /** `BINANCE` is configured by `TOLLBOOK_UPSTREAM_BINANCE_URL`. */
  upstreams: Readonly<Record<string, UpstreamDeclaration>>
  /** As the provider publishes it, per client address. */
  restLimit?: { weight: number; perMs: number }
  /** Requests per client address, as published: of all paths together (`''`), and of those that begin with a path. */
  limits?: readonly RequestLimit[]
}

/** At most `count` requests in any `perMs` to paths that begin with `path`. */
export type RequestLimit = { path: string; count: number; perMs: number }

/** Every provider that the service calls. Configuration, feeds and sandbox take its names and addresses from here. */
export const PROVIDERS = {
  binance: {
    title: 'Binance',
    upstreams: {
      BINANCE: { url: 'https://data-api.binance.vision', sandboxPath: '' },
      BINANCE_WS: { url: 'wss://data-stream.binance.vision', sandboxPath: '' },
    },
    restLimit: { weight: 6_000, perMs: MINUTE_MS },
  },
  coinbase: {
    title: 'Coinbase Exchange',
    upstreams: {
      COINBASE: { url: 'https://api.exchange.coinbase.com', sandboxPath: '' },
      COINBASE_WS: { url: 'wss://ws-feed.exchange.coinbase.com', sandboxPath: '' },
    },
  },
  polybolt: {
    title: 'PolyBolt, the oracle feed of Polymarket',
    upstreams: { POLY_LIVE_WS: { url: 'wss://ws-live-v2.polymarket.com/ws', sandboxPath: '/ws' } },
  },
  gamma: {
    title: 'Gamma, the market list of Polymarket',
    upstreams: { GAMMA: { url: 'https://gamma-api.polymarket.com', sandboxPath: '' } },
    limits: [
      { path: '', count: 4_000, perMs: 10 * SECOND_MS },
      { path: '/events', count: 500, perMs: 10 * SECOND_MS },
      { path: '/markets', count: 300, perMs: 10 * SECOND_MS },
      { path: '/public-search', count: 350, perMs: 10 * SECOND_MS },
    ],
  },
  clob: {
    title: 'the order book of Polymarket',
    upstreams: {
      CLOB: { url: 'https://clob.polymarket.com', sandboxPath: '' },
      CLOB_WS: { url: 'wss://ws-subscriptions-clob.polymarket.com/ws', sandboxPath: '/ws' },
    },
    limits: [
      { path: '', count: 15_000, perMs: 10 * SECOND_MS },
      { path: '/book', count: 1_500, perMs: 10 * SECOND_MS },
    ],
  },
  poly_data: {
    title: 'the account data of Polymarket',
    upstreams: { POLY_DATA: { url: 'https://data-api.polymarket.com', sandboxPath: '' } },
    limits: [
      { path: '', count: 800, perMs: 10 * SECOND_MS },
      { path: '/v2/trades', count: 300, perMs: 10 * SECOND_MS },
      { path: '/v2/activity', count: 200, perMs: 10 * SECOND_MS },
      { path: '/v2/positions', count: 200, perMs: 10 * SECOND_MS },
    ],
  },
  poly_web: {
    title: 'the web site of Polymarket',
    upstreams: { POLY_WEB: { url: 'https://polymarket.com', sandboxPath: '' } },
    // Not published; far below what the others allow.
    limits: [{ path: '', count: 20, perMs: 10 * SECOND_MS }],
  },
  relayer: {
    title: 'the relayer of Polymarket',
    upstreams: { RELAYER: { url: 'https://relayer-v2.polymarket.com', sandboxPath: '' } },
    limits: [
      { path: '', count: 15_000, perMs: 10 * SECOND_MS },
      { path: '/submit', count: 25, perMs: MINUTE_MS },
    ],
  },
  geckoterminal: {
    title: 'GeckoTerminal',
    upstreams: { GECKOTERMINAL: { url: 'https://api.geckoterminal.com/api/v2', sandboxPath: '/api/v2' } },
    limits: [{ path: '', count: 30, perMs: MINUTE_MS }],
  },
  dexscreener: {
    title: 'DexScreener',
    upstreams: { DEXSCREENER: { url: 'https://api.dexscreener.com', sandboxPath: '' } },
    limits: [{ path: '', count: 300, perMs: MINUTE_MS }],
  },
  goplus: {
    title: 'GoPlus',
    upstreams: { GOPLUS: { url: 'https://api.gopluslabs.io', sandboxPath: '' } },
    limits: [{ path: '', count: 30, perMs: MINUTE_MS }],
  },
  honeypot: {
    title: 'honeypot.is',
    upstreams: { HONEYPOT: { url: 'https://api.honeypot.is', sandboxPath: '' } },
    // Not published.
    limits: [{ path: '', count: 30, perMs: MINUTE_MS }],
  },
  blockscout: {
    title: 'Blockscout',
    upstreams: { BLOCKSCOUT: { url: 'https://base.blockscout.com', sandboxPath: '' } },
    limits: [{ path: '', count: 3, perMs: SECOND_MS }],
  },
  coingecko: {
    title: 'CoinGecko',
    upstreams: { COINGECKO: { url: 'https://api.coingecko.com/api/v3', sandboxPath: '/api/v3' } },
    // Without a key it varies; this little was always allowed.
    limits: [{ path: '', count: 10, perMs: MINUTE_MS }],
  },
  fng: {
    title: 'the fear and greed index of alternative.me',
    upstreams: { FNG: { url: 'https://api.alternative.me', sandboxPath: '' } },
    limits: [{ path: '', count: 60, perMs: MINUTE_MS }],
  },
  binance_futures: {
    title: 'the futures of Binance',
    upstreams: {
      BINANCE_FUTURES: { url: 'https://fapi.binance.com', sandboxPath: '' },
      BINANCE_FUTURES_WS: { url: 'wss://fstream.binance.com/market', sandboxPath: '/market' },
    },
    limits: [
      // 2,400 weight a minute; the heaviest that is asked here weighs ten.
      { path: '/fapi', count: 240, perMs: MINUTE_MS },
      { path: '/fapi/v1/funding', count: 500, perMs: 5 * MINUTE_MS },
      { path: '/futures/data', count: 1_000, perMs: 5 * MINUTE_MS },
    ],
  },
  bybit: {
    title: 'Bybit',
    upstreams: {
      BYBIT: { url: 'https://api.bybit.com', sandboxPath: '' },
      BYBIT_WS: { url: 'wss://stream.bybit.com/v5/public', sandboxPath: '/v5/public' },
    },
    limits: [{ path: '', count: 600, perMs: 5 * SECOND_MS }],
  },
  okx: {
    title: 'OKX',
    upstreams: {
      OKX: { url: 'https://www.okx.com', sandboxPath: '' },
      OKX_WS: { url: 'wss://ws.okx.com:8443/ws/v5/public', sandboxPath: '/ws/v5/public' },
    },
    limits: [
      // Counted by the venue for each address by itself; twenty for most, ten for some.
      { path: '', count: 20, perMs: 2 * SECOND_MS },
      { path: '/api/v5/rubik', count: 5, perMs: 2 * SECOND_MS },
    ],
  },
  hyperliquid: {
    title: 'Hyperliquid',
    upstreams: { HYPERLIQUID: { url: 'https://api.hyperliquid.xyz', sandboxPath: '' } },
    // 1,200 weight a minute; what is asked here weighs twenty, a week of hourly rates 29.
    limits: [{ path: '', count: 40, perMs: MINUTE_MS }],
  },
  mempool: {
    title: 'mempool.space',
    upstreams: { MEMPOOL: { url: 'https://mempool.space', sandboxPath: '' } },
    // Not published, and who exceeds it is banned.
    limits: [{ path: '', count: 20, perMs: MINUTE_MS }],
  },
  coinlobster: {
    title: 'CoinLobster',
    upstreams: { COINLOBSTER: { url: 'https://coinlobster.com', sandboxPath: '' } },
    limits: [{ path: '', count: 60, perMs: MINUTE_MS }],
  },
  sosovalue: {
    title: 'SoSoValue',
    upstreams: { SOSOVALUE: { url: 'https://api.sosovalue.xyz', sandboxPath: '' } },
    limits: [{ path: '', count: 20, perMs: MINUTE_MS }],
  },
  bazaar: {
    title: 'the x402 bazaar',
    upstreams: {
      BAZAAR: { url: 'https://api.cdp.coinbase.com/platform/v2/x402', sandboxPath: '/platform/v2/x402' },
    },
    // Not published.
    limits: [{ path: '', count: 60, perMs: MINUTE_MS }],
  },
  ecosystem: {
    title: 'the x402 ecosystem list',
    upstreams: {
      ECOSYSTEM: { url: 'https://api.github.com', sandboxPath: '/api' },
      ECOSYSTEM_RAW: { url: 'https://raw.githubusercontent.com', sandboxPath: '/raw' },
    },
    limits: [
      { path: '/repos', count: 60, perMs: 60 * MINUTE_MS },
      { path: '', count: 300, perMs: MINUTE_MS },
    ],
  },
  llm: {
    title: 'a language model that offers the chat completions of OpenAI',
    upstreams: { LLM: { sandboxPath: '/v1' } },
    // Each provider and plan has its own; the budget of a day bounds what is spent.
    limits: [{ path: '', count: 60, perMs: MINUTE_MS }],
  },
} as const satisfies Readonly<Record<string, ProviderDeclaration>>

/** What the provider publishes per path. */
export const limitsOf = (provider: ProviderName): readonly RequestLimit[] =>
  (PROVIDERS[provider] as ProviderDeclaration).limits ?? []

export type ProviderName = keyof typeof PROVIDERS
export type UpstreamName = {
  [Name in ProviderName]: keyof (typeof PROVIDERS)[Name]['upstreams']
}[ProviderName]

/** Those that have no public address. */
type OptionalUpstream = 'LLM'

/** The address of every upstream. */
export type Upstreams = Readonly<
  Record<Exclude<UpstreamName, OptionalUpstream>, string> & Record<OptionalUpstream, string | undefined>
>

export type Upstream = UpstreamDeclaration & { name: UpstreamName; provider: ProviderName; title: string }

export const UPSTREAMS: readonly Upstream[] = Object.entries(PROVIDERS).flatMap(
  ([provider, { title, upstreams }]) =>
    Object.entries<UpstreamDeclaration>(upstreams).map(([name, upstream]) => ({
      ...upstream,
      name: name as UpstreamName,
      provider: provider as ProviderName,
      title,
    })),
)

/** Only what is optional may be without an address. */
export function mapUpstreams(toUrl: (upstream: Upstream) => string | undefined): Upstreams {
  return Object.fromEntries(UPSTREAMS.map((upstream) => [upstream.name, toUrl(upstream)])) as Upstreams
}
