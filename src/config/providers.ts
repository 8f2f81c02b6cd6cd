import { MINUTE_MS, SECOND_MS } from '../core/time/time.ts'

/** Where one of a provider's services is reached: publicly, and below `/<provider>` of the sandbox. */
type UpstreamDeclaration = { url: `${'https' | 'wss'}://${string}`; sandboxPath: '' | `/${string}` }
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
} as const satisfies Readonly<Record<string, ProviderDeclaration>>

/** What the provider publishes per path. */
export const limitsOf = (provider: ProviderName): readonly RequestLimit[] =>
  (PROVIDERS[provider] as ProviderDeclaration).limits ?? []

export type ProviderName = keyof typeof PROVIDERS
export type UpstreamName = {
  [Name in ProviderName]: keyof (typeof PROVIDERS)[Name]['upstreams']
}[ProviderName]

/** The sandbox serves them, and tests call them; the service itself does not yet, so that nothing configures them. */
export const NOT_CALLED = ['POLY_WEB', 'RELAYER'] as const satisfies readonly UpstreamName[]

/** Those that the service calls. */
export type CalledName = Exclude<UpstreamName, (typeof NOT_CALLED)[number]>

/** The address of every upstream that the service calls. */
export type Upstreams = Readonly<Record<CalledName, string>>
/** The address of every upstream. */
export type AllUpstreams = Readonly<Record<UpstreamName, string>>

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

export const CALLED_UPSTREAMS = UPSTREAMS.filter(isCalled)

export function mapUpstreams(toUrl: (upstream: Upstream) => string): AllUpstreams {
  return Object.fromEntries(UPSTREAMS.map((upstream) => [upstream.name, toUrl(upstream)])) as AllUpstreams
}

export function mapCalled(toUrl: (name: CalledName) => string): Upstreams {
  return Object.fromEntries(CALLED_UPSTREAMS.map(({ name }) => [name, toUrl(name)])) as Upstreams
}

function isCalled(upstream: Upstream): upstream is Upstream & { name: CalledName } {
  return !NOT_CALLED.some((name) => name === upstream.name)
}
