import { MINUTE_MS } from '../core/time/time.ts'

/** Where one of a provider's services is reached: publicly, and below `/<provider>` of the sandbox. */
type UpstreamDeclaration = { url: `${'https' | 'wss'}://${string}`; sandboxPath: '' | `/${string}` }
type ProviderDeclaration = {
  title: string
  /** `BINANCE` is configured by `TOLLBOOK_UPSTREAM_BINANCE_URL`. */
  upstreams: Readonly<Record<string, UpstreamDeclaration>>
  /** As the provider publishes it, per client address. */
  restLimit?: { weight: number; perMs: number }
}

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
} as const satisfies Readonly<Record<string, ProviderDeclaration>>

export type ProviderName = keyof typeof PROVIDERS
export type UpstreamName = {
  [Name in ProviderName]: keyof (typeof PROVIDERS)[Name]['upstreams']
}[ProviderName]

/** The address of every upstream. */
export type Upstreams = Readonly<Record<UpstreamName, string>>

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

export function mapUpstreams(toUrl: (upstream: Upstream) => string): Upstreams {
  return Object.fromEntries(UPSTREAMS.map((upstream) => [upstream.name, toUrl(upstream)])) as Upstreams
}
